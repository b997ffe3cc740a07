package tongits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Melds within a hand, and the least deadwood it can be left with. */
public final class Melds {
  private Melds() {}

  /** Whether the cards are a set of 3 or 4 or, with runs, a run of 3 or more. */
  public static boolean isMeld(Cards cards, boolean runs) {
    return in(cards, runs).contains(cards);
  }

  /** Every meld that can be made of cards of the hand; they may overlap. */
  public static List<Cards> in(Cards hand, boolean runs) {
    return hand.numbers().stream().flatMap(lowest -> from(lowest, hand.bits(), runs).stream()).toList();
  }

  /** The least points that can be left when disjoint melds are taken out of the hand. */
  public static int deadwood(Cards hand, boolean runs) {
    return loose(hand, runs).points();
  }

  /** The cards of the hand outside its best melds: its deadwood. */
  public static Cards loose(Cards hand, boolean runs) {
    return best(hand, runs).stream().reduce(hand, Cards::without);
  }

  /** Disjoint melds that leave the least deadwood; of equal ones, long before short. */
  public static List<Cards> best(Cards hand, boolean runs) {
    return search(hand.bits(), runs).melds();
  }

  /** What is left of some cards, and the melds that leave it; `melds` may grow. */
  private record Split(int left, List<Cards> melds) {}

  /** Tries what may become of the lowest card: left over, or in one of its melds. */
  private static Split search(long held, boolean runs) {
    if (held == 0) {
      return new Split(0, new ArrayList<>());
    }
    int lowest = Long.numberOfTrailingZeros(held);
    Split skipped = search(held & (held - 1), runs);
    Split least = new Split(skipped.left() + Cards.points(lowest), skipped.melds());
    List<Cards> options = from(lowest, held, runs);
    options.sort(Comparator.comparing(Cards::size).reversed());
    for (Cards meld : options) {
      Split rest = search(held & ~meld.bits(), runs);
      if (rest.left() < least.left()) {
        rest.melds().add(0, meld);
        least = rest;
      }
    }
    return least;
  }

  /** The melds among the held cards whose lowest card is this one. */
  private static List<Cards> from(int lowest, long held, boolean runs) {
    long first = 1L << lowest;
    long higher = held & (15L << (lowest & ~3)) & -(first << 1); // of the same rank
    int copies = Long.bitCount(higher);
    long run = first | first << 4;
    boolean isRun = runs && (held & run) == run;
    if (copies < 2 && !isRun) {
      return Collections.emptyList();
    }
    List<Cards> melds = new ArrayList<>();
    if (copies == 3) {
      for (long rest = higher; rest != 0; rest &= rest - 1) {
        melds.add(0, new Cards(first | higher & ~Long.lowestOneBit(rest)));
      }
    }
    if (copies >= 2) {
      melds.add(new Cards(first | higher));
    }
    for (long next = first << 8; isRun && (held & next) != 0; next <<= 4) {
      run |= next;
      melds.add(new Cards(run));
    }
    return melds;
  }
}
