// Made by generate.js from tongits/v1/table.proto: do not edit.
import protobuf from "protobufjs/light.js";

/**
 * @typedef {object} BotMessage
 * @property {Hello | null} hello Once, as the first message.
 * @property {Decisions | null} decisions Any number of answers in one message, in any order.
 */

/**
 * @typedef {object} Hello
 * @property {number} protocolVersion The protocol version the bot speaks: 1. Another number is refused with an error that names the versions the harness speaks.
 * @property {string} token The value of TONGITS_TOKEN.
 * @property {number} concurrentGames How many games the bot is willing to hold at once; 0 means 1. The harness takes the smaller of this and the limit in bot.toml. Say the same in every process of a bot: the first one is believed. The more games, the larger the batches and the faster the tournament.
 * @property {string} sdk Name and version of the SDK, for the logs. At most 64 characters.
 */

/**
 * @typedef {object} Decisions
 * @property {Decision[]} decisions
 */

/**
 * @typedef {object} Decision
 * @property {number} decisionId Copied from the request.
 * @property {number | null} index Position in Observation.legal, from 0.
 * @property {Action | null} action The action spelled out.
 * @property {string} note Anything the bot wants to be shown beside this decision in the replay; at most 16 KiB over a session, the rest is dropped.
 */

/**
 * @typedef {object} TableMessage
 * @property {Welcome | null} welcome Only in the first message.
 * @property {GameStarted[]} started Games that begin (or go on in this new process).
 * @property {DecisionRequest[]} requests Decisions to make. Answer them in this order: a request's clock starts when the one before it has been answered.
 * @property {GameOver[]} over Games that have ended. No answer is expected.
 */

/**
 * @typedef {object} Welcome
 * @property {number} protocolVersion The protocol version that will be spoken.
 * @property {number} concurrentGames Games this process will hold at once, at most.
 * @property {number} decisionLimitUs Longest time for one decision.
 * @property {number} sessionBankUs Thinking time for all decisions of one session together.
 */

/**
 * @typedef {object} GameStarted
 * @property {string} gameId Random and opaque; names the game in all later messages.
 * @property {string} rules Name of the rules, for instance "tongits-lite".
 * @property {Record<string, string>} parameters Rule parameters whose value is not that of "tongits-lite", by their dotted name as in `tongits rules`, with JSON values: "layoff.enabled" -> "false".
 * @property {number} seat Your seat, 0..2.
 * @property {number} dealer The dealer's seat: plays first, holds 13 cards.
 * @property {Uint8Array} botSeed Your own randomness for this game, 8 bytes; says nothing about the deck. A bot that draws all its chance from it plays the same game twice alike.
 * @property {number} pot Chips in the pot, antes of this game included.
 * @property {number[]} streaks Games won in a row by each seat within this session.
 * @property {boolean} resumed True if the game began in an earlier process of this bot that was lost; `history` then holds every event so far.
 * @property {Event[]} history Only with `resumed`.
 */

/**
 * @typedef {object} DecisionRequest
 * @property {number} decisionId Counts this process's own requests, from 1.
 * @property {string} gameId Which game.
 * @property {number} timeLeftUs Time for this decision once its clock runs (the smaller of the decision limit and what is left of the session's bank).
 * @property {Observation | null} observation What your seat can see. Complete: a bot needs no memory.
 */

/**
 * @typedef {object} Observation
 * @property {number} seat Your seat.
 * @property {number} phase
 * @property {number} dealer The dealer's seat.
 * @property {number} turn Turn number in this game, from 0 (the dealer's first turn).
 * @property {Uint8Array} hand Your hand, in card order.
 * @property {number[]} handSizes Cards in the hand of seat 0, 1, 2.
 * @property {boolean[]} opened Whether seat 0, 1, 2 has opened (owns a meld on the table).
 * @property {boolean[]} callBlocked Whether seat 0, 1, 2 is kept from calling Draw on its next turn by a lay-off on one of its melds.
 * @property {number} stockSize Cards left in the stock.
 * @property {Uint8Array} discards The discard pile, oldest first: the last byte is the card that may be taken.
 * @property {Meld[]} melds Melds on the table, in order of exposure: meld number = position, from 0.
 * @property {number | null} caller In PHASE_RESPOND: who called, else absent.
 * @property {number | null} callerPoints In PHASE_RESPOND under rules where the caller announces: the caller's points.
 * @property {number[]} challengers In PHASE_RESPOND: seats that have answered "challenge" so far.
 * @property {Action[]} legal The actions you may choose from, in canonical order; never empty. At least two, for a forced action is not asked.
 * @property {Event[]} events What everybody saw since your last request in this game, oldest first. Cards that you may not see are left out of an event.
 */

/**
 * @typedef {object} Meld
 * @property {number} owner The seat that owns it.
 * @property {Uint8Array} cards Its cards in card order; empty for a concealed four of another seat.
 * @property {boolean} faceDown Lies face down: nobody can lay off on it.
 * @property {number} size Number of cards.
 */

/**
 * @typedef {object} Action
 * @property {number} kind
 * @property {Uint8Array} cards TAKE, EXPOSE, CONCEAL: the whole meld, in card order. LAYOFF, DISCARD: one card.
 * @property {number} meld LAYOFF: the meld's number, else 0.
 */

/**
 * @typedef {object} Event
 * @property {number} number Counts the events of the game, from 0.
 * @property {number} kind
 * @property {number} seat The seat that acted.
 * @property {Uint8Array} cards
 * @property {number} meld EXPOSED, CONCEALED, TOOK, LAID_OFF: the meld's number.
 * @property {number | null} points CALLED: announced points, if any.
 */

/**
 * @typedef {object} GameOver
 * @property {string} gameId
 * @property {number} termination
 * @property {number | null} winner The winner's seat; absent if the game is void.
 * @property {number[]} payments Chips won or paid by seat 0, 1, 2, without antes and pot.
 * @property {Uint8Array[]} hands Hands shown at the end, for seat 0, 1, 2; empty where not shown.
 * @property {Event[]} events Events since your last request.
 */

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

const root = protobuf.Root.fromJSON(/** @type {any} */ ({
  "nested": {
    "tongits": {
      "nested": {
        "v1": {
          "nested": {
            "Table": {
              "methods": {
                "Play": {
                  "requestType": "BotMessage",
                  "requestStream": true,
                  "responseType": "TableMessage",
                  "responseStream": true
                }
              }
            },
            "BotMessage": {
              "oneofs": {
                "content": {
                  "oneof": [
                    "hello",
                    "decisions"
                  ]
                }
              },
              "fields": {
                "hello": {
                  "type": "Hello",
                  "id": 1
                },
                "decisions": {
                  "type": "Decisions",
                  "id": 2
                }
              }
            },
            "Hello": {
              "fields": {
                "protocolVersion": {
                  "type": "uint32",
                  "id": 1
                },
                "token": {
                  "type": "string",
                  "id": 2
                },
                "concurrentGames": {
                  "type": "uint32",
                  "id": 3
                },
                "sdk": {
                  "type": "string",
                  "id": 4
                }
              }
            },
            "Decisions": {
              "fields": {
                "decisions": {
                  "rule": "repeated",
                  "type": "Decision",
                  "id": 1
                }
              }
            },
            "Decision": {
              "oneofs": {
                "choice": {
                  "oneof": [
                    "index",
                    "action"
                  ]
                }
              },
              "fields": {
                "decisionId": {
                  "type": "uint64",
                  "id": 1
                },
                "index": {
                  "type": "uint32",
                  "id": 2
                },
                "action": {
                  "type": "Action",
                  "id": 3
                },
                "note": {
                  "type": "string",
                  "id": 4
                }
              }
            },
            "TableMessage": {
              "fields": {
                "welcome": {
                  "type": "Welcome",
                  "id": 1
                },
                "started": {
                  "rule": "repeated",
                  "type": "GameStarted",
                  "id": 2
                },
                "requests": {
                  "rule": "repeated",
                  "type": "DecisionRequest",
                  "id": 3
                },
                "over": {
                  "rule": "repeated",
                  "type": "GameOver",
                  "id": 4
                }
              }
            },
            "Welcome": {
              "fields": {
                "protocolVersion": {
                  "type": "uint32",
                  "id": 1
                },
                "concurrentGames": {
                  "type": "uint32",
                  "id": 2
                },
                "decisionLimitUs": {
                  "type": "uint64",
                  "id": 3
                },
                "sessionBankUs": {
                  "type": "uint64",
                  "id": 4
                }
              }
            },
            "GameStarted": {
              "fields": {
                "gameId": {
                  "type": "string",
                  "id": 1
                },
                "rules": {
                  "type": "string",
                  "id": 2
                },
                "parameters": {
                  "keyType": "string",
                  "type": "string",
                  "id": 3
                },
                "seat": {
                  "type": "uint32",
                  "id": 4
                },
                "dealer": {
                  "type": "uint32",
                  "id": 5
                },
                "botSeed": {
                  "type": "bytes",
                  "id": 6
                },
                "pot": {
                  "type": "uint32",
                  "id": 7
                },
                "streaks": {
                  "rule": "repeated",
                  "type": "uint32",
                  "id": 8
                },
                "resumed": {
                  "type": "bool",
                  "id": 9
                },
                "history": {
                  "rule": "repeated",
                  "type": "Event",
                  "id": 10
                }
              }
            },
            "DecisionRequest": {
              "fields": {
                "decisionId": {
                  "type": "uint64",
                  "id": 1
                },
                "gameId": {
                  "type": "string",
                  "id": 2
                },
                "timeLeftUs": {
                  "type": "uint64",
                  "id": 3
                },
                "observation": {
                  "type": "Observation",
                  "id": 5
                }
              }
            },
            "Phase": {
              "values": {
                "PHASE_UNSPECIFIED": 0,
                "PHASE_START": 1,
                "PHASE_ACTION": 2,
                "PHASE_RESPOND": 3
              }
            },
            "Observation": {
              "oneofs": {
                "_caller": {
                  "oneof": [
                    "caller"
                  ]
                },
                "_callerPoints": {
                  "oneof": [
                    "callerPoints"
                  ]
                }
              },
              "fields": {
                "seat": {
                  "type": "uint32",
                  "id": 1
                },
                "phase": {
                  "type": "Phase",
                  "id": 2
                },
                "dealer": {
                  "type": "uint32",
                  "id": 3
                },
                "turn": {
                  "type": "uint32",
                  "id": 4
                },
                "hand": {
                  "type": "bytes",
                  "id": 5
                },
                "handSizes": {
                  "rule": "repeated",
                  "type": "uint32",
                  "id": 6
                },
                "opened": {
                  "rule": "repeated",
                  "type": "bool",
                  "id": 7
                },
                "callBlocked": {
                  "rule": "repeated",
                  "type": "bool",
                  "id": 8
                },
                "stockSize": {
                  "type": "uint32",
                  "id": 9
                },
                "discards": {
                  "type": "bytes",
                  "id": 10
                },
                "melds": {
                  "rule": "repeated",
                  "type": "Meld",
                  "id": 11
                },
                "caller": {
                  "type": "uint32",
                  "id": 12,
                  "options": {
                    "proto3_optional": true
                  }
                },
                "callerPoints": {
                  "type": "uint32",
                  "id": 13,
                  "options": {
                    "proto3_optional": true
                  }
                },
                "challengers": {
                  "rule": "repeated",
                  "type": "uint32",
                  "id": 14
                },
                "legal": {
                  "rule": "repeated",
                  "type": "Action",
                  "id": 15
                },
                "events": {
                  "rule": "repeated",
                  "type": "Event",
                  "id": 16
                }
              }
            },
            "Meld": {
              "fields": {
                "owner": {
                  "type": "uint32",
                  "id": 1
                },
                "cards": {
                  "type": "bytes",
                  "id": 2
                },
                "faceDown": {
                  "type": "bool",
                  "id": 3
                },
                "size": {
                  "type": "uint32",
                  "id": 4
                }
              }
            },
            "ActionKind": {
              "values": {
                "ACTION_KIND_UNSPECIFIED": 0,
                "ACTION_KIND_DRAW": 1,
                "ACTION_KIND_TAKE": 2,
                "ACTION_KIND_EXPOSE": 3,
                "ACTION_KIND_CONCEAL": 4,
                "ACTION_KIND_LAYOFF": 5,
                "ACTION_KIND_DISCARD": 6,
                "ACTION_KIND_CALL": 7,
                "ACTION_KIND_CHALLENGE": 8,
                "ACTION_KIND_FOLD": 9
              }
            },
            "Action": {
              "fields": {
                "kind": {
                  "type": "ActionKind",
                  "id": 1
                },
                "cards": {
                  "type": "bytes",
                  "id": 2
                },
                "meld": {
                  "type": "uint32",
                  "id": 3
                }
              }
            },
            "EventKind": {
              "values": {
                "EVENT_KIND_UNSPECIFIED": 0,
                "EVENT_KIND_DREW": 1,
                "EVENT_KIND_TOOK": 2,
                "EVENT_KIND_EXPOSED": 3,
                "EVENT_KIND_CONCEALED": 4,
                "EVENT_KIND_LAID_OFF": 5,
                "EVENT_KIND_DISCARDED": 6,
                "EVENT_KIND_CALLED": 7,
                "EVENT_KIND_CHALLENGED": 8,
                "EVENT_KIND_FOLDED": 9
              }
            },
            "Event": {
              "oneofs": {
                "_points": {
                  "oneof": [
                    "points"
                  ]
                }
              },
              "fields": {
                "number": {
                  "type": "uint32",
                  "id": 1
                },
                "kind": {
                  "type": "EventKind",
                  "id": 2
                },
                "seat": {
                  "type": "uint32",
                  "id": 3
                },
                "cards": {
                  "type": "bytes",
                  "id": 4
                },
                "meld": {
                  "type": "uint32",
                  "id": 5
                },
                "points": {
                  "type": "uint32",
                  "id": 6,
                  "options": {
                    "proto3_optional": true
                  }
                }
              }
            },
            "Termination": {
              "values": {
                "TERMINATION_UNSPECIFIED": 0,
                "TERMINATION_TONGITS": 1,
                "TERMINATION_DRAW_UNCONTESTED": 2,
                "TERMINATION_DRAW_CONTESTED": 3,
                "TERMINATION_STOCK_OUT": 4,
                "TERMINATION_VOID": 5
              }
            },
            "GameOver": {
              "oneofs": {
                "_winner": {
                  "oneof": [
                    "winner"
                  ]
                }
              },
              "fields": {
                "gameId": {
                  "type": "string",
                  "id": 1
                },
                "termination": {
                  "type": "Termination",
                  "id": 2
                },
                "winner": {
                  "type": "uint32",
                  "id": 3,
                  "options": {
                    "proto3_optional": true
                  }
                },
                "payments": {
                  "rule": "repeated",
                  "type": "sint32",
                  "id": 4
                },
                "hands": {
                  "rule": "repeated",
                  "type": "bytes",
                  "id": 5
                },
                "events": {
                  "rule": "repeated",
                  "type": "Event",
                  "id": 6
                }
              }
            }
          }
        }
      }
    }
  }
}));

/** @param {string} name */
const codec = (name) => /** @type {any} */ (root.lookupType("tongits.v1." + name));

/** @type {Codec<BotMessage>} */
export const BotMessage = codec("BotMessage");
/** @type {Codec<Hello>} */
export const Hello = codec("Hello");
/** @type {Codec<Decisions>} */
export const Decisions = codec("Decisions");
/** @type {Codec<Decision>} */
export const Decision = codec("Decision");
/** @type {Codec<TableMessage>} */
export const TableMessage = codec("TableMessage");
/** @type {Codec<Welcome>} */
export const Welcome = codec("Welcome");
/** @type {Codec<GameStarted>} */
export const GameStarted = codec("GameStarted");
/** @type {Codec<DecisionRequest>} */
export const DecisionRequest = codec("DecisionRequest");
/** @type {Codec<Observation>} */
export const Observation = codec("Observation");
/** @type {Codec<Meld>} */
export const Meld = codec("Meld");
/** @type {Codec<Action>} */
export const Action = codec("Action");
/** @type {Codec<Event>} */
export const Event = codec("Event");
/** @type {Codec<GameOver>} */
export const GameOver = codec("GameOver");
