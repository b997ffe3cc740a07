// What a bot is shown: thin values over the protocol's messages.
import { Rng } from "./rng.js";
import { Action, TERMINATIONS } from "./values.js";

/** @import * as wire from "./table.js" */

/**
 * Something everybody at the table saw. Its cards are empty where you may not see them; with TOOK
 * they are the whole meld, the discard in it.
 * @typedef {Pick<wire.Event, "number" | "kind" | "seat" | "cards" | "meld" | "points">} GameEvent
 */

/**
 * A meld on the table; its number is its place in `view.melds`. Its cards are empty if it is a
 * concealed four of another seat.
 * @typedef {Pick<wire.Meld, "owner" | "cards" | "faceDown" | "size">} Meld
 */

/**
 * How a game ended.
 * @typedef {object} Result
 * @property {string} termination tongits, draw_uncontested, draw_contested, stock_out or void
 * @property {number | null} winner
 * @property {readonly number[]} payments Chips won or paid by each seat, without antes and pot.
 * @property {readonly Uint8Array[]} hands Hands shown at the end; empty where not shown.
 */

/** What stays the same throughout one game. */
export class Game {
  /** @param {wire.GameStarted} message */
  constructor(message) {
    this.id = message.gameId;
    this.rules = message.rules;
    /**
     * Those that are not as in tongits-lite: `game.parameters["layoff.enabled"] ?? true`.
     * @type {Readonly<Record<string, unknown>>}
     */
    this.parameters = Object.fromEntries(
      Object.entries(message.parameters).map(([name, text]) => [name, JSON.parse(text)]),
    );
    /** Whether runs are melds under these rules. */
    this.runs = this.parameters["meld.runs"] !== false;
    this.seat = message.seat;
    this.dealer = message.dealer;
    this.botSeed = message.botSeed;
    this.pot = message.pot;
    /** Games won in a row by each seat. */
    this.streaks = message.streaks;
    this.resumed = message.resumed;
    /** @type {readonly GameEvent[]} Only if the game is resumed: all its events so far. */
    this.history = message.history;
  }
}

/** What your seat sees at one decision, and the actions it may choose from. */
export class View {
  /** @type {Rng | undefined} */
  #rng;

  /**
   * @param {wire.Observation} message
   * @param {Game} game
   * @param {number} [timeLeftUs]
   */
  constructor(message, game, timeLeftUs = 0) {
    this.game = game;
    /** Time for this decision, in microseconds. */
    this.timeLeftUs = timeLeftUs;
    /** Set it to have a text shown beside this decision in the replay. */
    this.note = "";
    this.seat = message.seat;
    /** One of `Phase`. */
    this.phase = message.phase;
    /** Number of the turn in this game, from 0. */
    this.turn = message.turn;
    /** Your cards, in card order. */
    this.hand = message.hand;
    /** Cards in the hand of each seat. */
    this.handSizes = message.handSizes;
    /** Whether each seat owns a meld on the table. */
    this.opened = message.opened;
    /** Whether a lay-off keeps each seat from calling Draw on its next turn. */
    this.callBlocked = message.callBlocked;
    this.stockSize = message.stockSize;
    /** The discard pile, oldest first: the last one may be taken. */
    this.discards = message.discards;
    /** @type {readonly Meld[]} Melds on the table: meld number = position. */
    this.melds = message.melds;
    /** In RESPOND: the seat that called Draw, else null. */
    this.caller = message.caller;
    /** In RESPOND: the caller's points, where the rules have them announced, else null. */
    this.callerPoints = message.callerPoints;
    /** In RESPOND: seats that have challenged so far. */
    this.challengers = message.challengers;
    /** The actions to choose from: at least two, in canonical order. */
    this.legal = message.legal.map(({ kind, cards, meld }) => new Action(kind, cards, meld));
    /** @type {readonly GameEvent[]} What everybody saw since your last decision in this game. */
    this.events = message.events;
  }

  /**
   * Chance for this decision, drawn from the game's `botSeed` and from what is on the table.
   *
   * It does not depend on earlier decisions of this process, so that a bot that takes all its
   * chance from here plays alike after a restart and on another machine.
   */
  get rng() {
    const { botSeed } = this.game;
    this.#rng ??= new Rng(Uint8Array.of(...botSeed, this.turn & 255, this.phase, ...this.hand));
    return this.#rng;
  }
}

/**
 * The result out of its message.
 * @param {wire.GameOver} message
 * @returns {Result}
 */
export function resultOf({ termination, winner, payments, hands }) {
  return { termination: TERMINATIONS[termination] ?? "unspecified", winner, payments, hands };
}
