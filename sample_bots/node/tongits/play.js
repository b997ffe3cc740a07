// Play at the harness's table: one stream, batches in, batches of answers out.
import { realpathSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { BotMessage, GameStarted, TableMessage } from "./table.js";
import { Game, View, resultOf } from "./view.js";

/** @import * as wire from "./table.js" */
/** @import { Action } from "./values.js" */
/** @import { GameEvent, Result } from "./view.js" */
/** @typedef {grpc.ClientDuplexStream<Partial<wire.BotMessage>, wire.TableMessage>} Stream */

const SDK = "tongits-node/1.0";
/** Answers wait at most this part of the decision limit for others to be sent with them. */
const FLUSH_SHARE = 0.1;
/** Characters kept of one note; with PENDING_NOTES a message stays below 64 KiB. */
const NOTE_LIMIT = 2000;
const PENDING_NOTES = 6000;
/** Time for the harness to read what was decided before a crash, or the wrong game is charged. */
const LINGER_MS = 20;
/** How a table that was taken away looks from here: after the Welcome, a normal end. */
const GONE = [grpc.status.UNAVAILABLE, grpc.status.CANCELLED];
const OPTIONS = { "grpc.enable_http_proxy": 0, "grpc.enable_retries": 0 };

const HOW_TO_RUN = `\
This is a Tongits Arena bot. It plays at a table that the harness sets up, so the harness starts it:
    tongits run random greedy BOT_FOLDER
(TONGITS_ADDRESS is not set: that is the address of the table.)`;

/** A bot that remembers: one instance plays one game. Override what you need. */
export class GameBot {
  /**
   * The game begins, or goes on in a new process (`game.resumed`).
   * @param {Game} _game
   */
  start(_game) {}

  /**
   * Something happened. Called once for each event of the game, also after a resume.
   * @param {GameEvent} _event
   */
  observe(_event) {}

  /**
   * Choose one of `view.legal`.
   * @param {View} _view
   * @returns {Action | Promise<Action>}
   */
  decide(_view) {
    throw new Error(`${this.constructor.name} has no decide(view)`);
  }

  /**
   * The game has ended.
   * @param {Result} _result
   */
  over(_result) {}
}

/**
 * Whether this module is the program, and not imported by a test: `isMain(import.meta.url)`.
 * @param {string} url
 */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}

/**
 * Play with a function from a view to one of `view.legal` until the harness has had enough.
 * @param {(view: View) => Action | Promise<Action>} decide
 * @param {{ concurrentGames?: number }} [options]
 */
export function serve(decide, options) {
  const bot = new GameBot();
  bot.decide = decide;
  return serveGames(() => bot, options);
}

/**
 * Play with one `GameBot` for each game: `serveGames(() => new MyBot())`.
 * @param {() => GameBot} newBot
 * @param {{ concurrentGames?: number }} [options]
 * @returns {Promise<never>}
 */
export async function serveGames(newBot, { concurrentGames = 128 } = {}) {
  const { TONGITS_ADDRESS: address, TONGITS_TOKEN: token = "" } = process.env;
  if (!address) {
    console.error(HOW_TO_RUN);
    process.exit(2);
  }
  const stream = dial(address);
  stream.write({ hello: { protocolVersion: 1, token, concurrentGames, sdk: SDK } });
  const table = new Table(newBot, stream);
  try {
    for await (const message of stream) await table.take(message);
  } catch (error) {
    explain(/** @type {Error & Partial<grpc.ServiceError>} */ (error), table.isSeated);
  }
  process.exit();
}

/**
 * @param {string} address
 * @returns {Stream}
 */
function dial(address) {
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), OPTIONS);
  return client.makeBidiStreamRequest(
    "/tongits.v1.Table/Play",
    (message) => /** @type {Buffer} */ (BotMessage.encode(message).finish()),
    (bytes) => TableMessage.decode(bytes),
  );
}

/**
 * Say what went wrong and leave with 1, unless the table was simply taken away.
 * @param {Error & Partial<grpc.ServiceError>} error
 * @param {boolean} isSeated
 */
function explain(error, isSeated) {
  const { code, details } = error;
  if (isSeated && code !== undefined && GONE.includes(code)) return;
  const isRefusal = code !== undefined && grpc.status[code] !== undefined;
  console.error(
    isRefusal ? `The table refused this bot: ${details} (${grpc.status[code]})` : error,
  );
  process.exitCode = 1;
}

/** One game of this process: what is fixed, who plays it, which event comes next. */
class Seat {
  #nextEvent = 0;

  /**
   * @param {GameBot} bot
   * @param {wire.GameStarted} message
   */
  constructor(bot, message) {
    this.bot = bot;
    this.game = new Game(message);
    bot.start(this.game);
    this.show(this.game.history);
  }

  /** @param {readonly GameEvent[]} events */
  show(events) {
    for (const event of events) {
      if (event.number < this.#nextEvent) continue;
      this.#nextEvent = event.number + 1;
      this.bot.observe(event);
    }
  }
}

/** The games in progress and the answers not yet sent. */
class Table {
  isSeated = false;
  /** @type {Map<string, Seat>} */
  #seats = new Map();
  /** @type {wire.Decision[]} */
  #answers = [];
  #pendingNotes = 0;
  #flushAfterMs = 100;

  /**
   * @param {() => GameBot} newBot
   * @param {Stream} stream
   */
  constructor(newBot, stream) {
    this.#newBot = newBot;
    this.#stream = stream;
  }

  #newBot;
  #stream;

  /**
   * Do what one message says, in the order of its fields.
   * @param {wire.TableMessage} message
   */
  async take({ welcome, started, requests, over }) {
    if (welcome) {
      this.isSeated = true;
      this.#flushAfterMs = (welcome.decisionLimitUs * FLUSH_SHARE) / 1000;
    }
    for (const game of started) this.#start(game);
    if (requests.length) await this.#answerAll(requests);
    for (const ended of over) this.#end(ended);
  }

  /** @param {wire.GameStarted} message */
  #start(message) {
    const seat = new Seat(this.#newBot(), message);
    this.#seats.set(seat.game.id, seat);
    return seat;
  }

  /** @param {wire.GameOver} message */
  #end(message) {
    const seat = this.#seats.get(message.gameId);
    this.#seats.delete(message.gameId);
    seat?.show(message.events);
    seat?.bot.over(resultOf(message));
  }

  /**
   * Answer in order; send when all are answered, or when the first has waited long enough.
   * @param {wire.DecisionRequest[]} requests
   */
  async #answerAll(requests) {
    let sendBy = performance.now() + this.#flushAfterMs;
    try {
      for (const request of requests) {
        await this.#answer(request);
        if (performance.now() < sendBy && this.#pendingNotes < PENDING_NOTES) continue;
        await this.#flush();
        sendBy = performance.now() + this.#flushAfterMs;
      }
    } catch (error) {
      // What was decided before a failure still counts.
      if (this.#answers.length) await this.#flush();
      await sleep(LINGER_MS);
      throw error;
    }
    this.#flush();
  }

  /** @param {wire.DecisionRequest} request */
  async #answer({ decisionId, gameId, timeLeftUs, observation }) {
    // A practice decision may be of a game that was never announced.
    const seat = this.#seats.get(gameId) ?? this.#start(practice(gameId));
    const view = new View(/** @type {wire.Observation} */ (observation), seat.game, timeLeftUs);
    seat.show(view.events);
    const decided = seat.bot.decide(view);
    const action = decided instanceof Promise ? await decided : decided;
    const index = indexOf(view.legal, action);
    const note = view.note.slice(0, NOTE_LIMIT);
    this.#pendingNotes += note.length;
    // The harness says what is wrong with an action that is not legal.
    const choice = index < 0 ? { index: null, action } : { index, action: null };
    this.#answers.push({ decisionId, note, ...choice });
  }

  /** Settled when the answers are on their way: a busy program sends nothing by itself. */
  #flush() {
    const decisions = this.#answers;
    this.#answers = [];
    this.#pendingNotes = 0;
    return new Promise((resolve) => {
      this.#stream.write({ decisions: { decisions } }, () => setImmediate(resolve));
    });
  }
}

/** @param {string} gameId */
function practice(gameId) {
  return GameStarted.decode(GameStarted.encode({ gameId }).finish());
}

/**
 * @param {readonly Action[]} legal
 * @param {Action} action
 */
function indexOf(legal, action) {
  const index = legal.indexOf(action);
  if (index >= 0) return index;
  const text = String(action);
  return legal.findIndex((one) => String(one) === text);
}
