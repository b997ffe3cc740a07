package tongits;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import tongits.v1.TableOuterClass.DecisionRequest;
import tongits.v1.TableOuterClass.Observation;

/** What your seat sees at one decision, and the actions it may choose from. */
public final class View {
  /** Where in a turn a decision falls, in the protocol's order, which counts from 1. */
  public enum Phase {
    /** Draw, take or call. */
    START,
    /** Meld, lay off, discard. */
    ACTION,
    /** Answer a call of Draw. */
    RESPOND
  }

  /**
   * A meld on the table; its number is its place in `melds`.
   *
   * @param cards none for a concealed four of another seat
   */
  public record Meld(int owner, Cards cards, boolean isFaceDown, int size) {}

  private static final Phase[] PHASES = Phase.values();

  public final Game game;

  /**
   * All that is seen: getTurn, getHandSizesList, getOpenedList, getStockSize, getCaller,
   * getEventsList, and more, as protos/tongits/v1/table.proto explains them.
   */
  public final Observation seen;

  public final Phase phase;
  public final int seat;
  public final Cards hand;

  /** Numbers of cards, oldest first: the last one may be taken. */
  public final List<Integer> discards;

  /** The actions to choose from, at least two. */
  public final List<Action> legal;

  public final List<Meld> melds;

  /** Microseconds for this decision. */
  public final long timeLeftUs;

  /** Set it to have a text shown beside this decision in the replay. */
  public String note = "";

  public View(DecisionRequest request, Game game) {
    this.game = game;
    seen = request.getObservation();
    phase = PHASES[seen.getPhaseValue() - 1];
    seat = seen.getSeat();
    hand = Cards.of(seen.getHand());
    discards = Table.numbers(seen.getDiscards());
    legal = seen.getLegalList().stream().map(Action::of).toList();
    melds =
        seen.getMeldsList().stream()
            .map(m -> new Meld(m.getOwner(), Cards.of(m.getCards()), m.getFaceDown(), m.getSize()))
            .toList();
    timeLeftUs = request.getTimeLeftUs();
  }

  /**
   * Chance for this decision, drawn from the game's bot_seed and from what is on the table: a bot
   * that takes all its chance from here plays alike after a restart.
   */
  public RandomGenerator random() {
    long seed = 0;
    for (byte part : game.started().getBotSeed()) {
      seed = seed << 8 | part & 255;
    }
    long where = hand.bits() * 31 + seen.getTurn() * 3L + phase.ordinal();
    return new SplittableRandom(seed ^ new SplittableRandom(where).nextLong());
  }
}
