// Makes `table.js` out of the protocol: `node tongits/generate.js TABLE.PROTO`, which prints it.
//
// Nobody needs it to write a bot. It is run when `protos/tongits/v1/table.proto` has changed.
import { readFileSync } from "node:fs";
import protobuf from "protobufjs";

const PACKAGE = "tongits.v1";

/** @type {Record<string, string>} */
const SCALARS = { string: "string", bytes: "Uint8Array", bool: "boolean" };

/** @param {protobuf.Field} field */
function typeOf(field) {
  const { resolvedType } = field.resolve();
  const isMessage = resolvedType instanceof protobuf.Type;
  const one = isMessage ? resolvedType.name : (SCALARS[field.type] ?? "number");
  if (field instanceof protobuf.MapField) return `Record<string, ${one}>`;
  if (field.repeated) return `${one}[]`;
  return isMessage || field.partOf ? `${one} | null` : one;
}

/** @param {protobuf.Type} type */
function typedefOf(type) {
  const lines = type.fieldsArray.map((field) => {
    const comment = field.comment ? ` ${field.comment.replace(/\s+/g, " ")}` : "";
    return ` * @property {${typeOf(field)}} ${field.name}${comment}`;
  });
  return ["/**", ` * @typedef {object} ${type.name}`, ...lines, " */"].join("\n");
}

/**
 * @param {protobuf.Namespace} messages
 * @param {object} descriptor
 */
function moduleOf(messages, descriptor) {
  const types = messages.nestedArray.filter((one) => one instanceof protobuf.Type);
  return `// Made by generate.js from tongits/v1/table.proto: do not edit.
import protobuf from "protobufjs/light.js";

${types.map(typedefOf).join("\n\n")}

/**
 * Turns messages of one kind into bytes and back.
 * @template T
 * @typedef {object} Codec
 * @property {(bytes: Uint8Array) => T} decode Fields left out have their default, messages null.
 * @property {(message: Partial<T>) => { finish(): Uint8Array }} encode
 */

// Numbers of 64 bits as plain numbers: counts and microseconds stay far below 2 ** 53.
protobuf.util.Long = /** @type {any} */ (undefined);
protobuf.configure();

const root = protobuf.Root.fromJSON(/** @type {any} */ (${JSON.stringify(descriptor, null, 2)}));

/** @param {string} name */
const codec = (name) => /** @type {any} */ (root.lookupType("${PACKAGE}." + name));

${types
  .map(({ name }) => `/** @type {Codec<${name}>} */\nexport const ${name} = codec("${name}");`)
  .join("\n")}
`;
}

const [path = ""] = process.argv.slice(2);
const { root } = protobuf.parse(readFileSync(path, "utf8"), { alternateCommentMode: true });
root.resolveAll();
const messages = /** @type {protobuf.Namespace} */ (root.lookup(PACKAGE));
process.stdout.write(moduleOf(messages, root.toJSON()));
