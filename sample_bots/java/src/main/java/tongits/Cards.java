package tongits;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A set of cards: a hand, a meld, one card or none. A card is a number, 4 * rank + suit, with ranks
 * from 0 (ace, low) to 12 (king) and suits clubs, diamonds, hearts, spades.
 *
 * @param bits bit 4 * rank + suit for each card
 */
public record Cards(long bits) {
  public static final Cards NONE = new Cards(0);
  public static final Cards DECK = new Cards((1L << 52) - 1);
  private static final String RANKS = "A23456789TJQK";
  private static final String SUITS = "CDHS";

  /** The cards with these numbers. */
  public static Cards of(Iterable<? extends Number> numbers) {
    long bits = 0;
    for (Number number : numbers) {
      bits |= 1L << number.intValue();
    }
    return new Cards(bits);
  }

  /** Reads "4H 5H KS". */
  public static Cards parse(String text) {
    return of(Arrays.stream(text.split(" ")).filter(word -> !word.isEmpty()).map(Cards::number).toList());
  }

  private static int number(String word) {
    int rank = word.length() == 2 ? RANKS.indexOf(word.charAt(0)) : -1;
    int suit = word.length() == 2 ? SUITS.indexOf(word.charAt(1)) : -1;
    if (rank < 0 || suit < 0) {
      throw new IllegalArgumentException(
          "'" + word + "' is no card: write a rank of " + RANKS + " and a suit of " + SUITS);
    }
    return 4 * rank + suit;
  }

  /** "7H". */
  public static String name(int number) {
    return "" + RANKS.charAt(number >> 2) + SUITS.charAt(number & 3);
  }

  /** Points of one card: an ace is 1, a jack, queen or king 10. */
  public static int points(int number) {
    return Math.min((number >> 2) + 1, 10);
  }

  /** Points of all cards, as if none were melded. */
  public int points() {
    int total = 0;
    for (long rest = bits; rest != 0; rest &= rest - 1) {
      total += points(Long.numberOfTrailingZeros(rest));
    }
    return total;
  }

  public int size() {
    return Long.bitCount(bits);
  }

  public boolean contains(int number) {
    return (bits >> number & 1) == 1;
  }

  /** The cards that are not among the others. */
  public Cards without(Cards others) {
    return new Cards(bits & ~others.bits);
  }

  /** These cards and the others. */
  public Cards with(Cards others) {
    return new Cards(bits | others.bits);
  }

  /** Their numbers, in card order. */
  public List<Integer> numbers() {
    return LongStream.iterate(bits, rest -> rest != 0, rest -> rest & (rest - 1))
        .mapToObj(Long::numberOfTrailingZeros)
        .toList();
  }

  /** "4H 5H KS". */
  @Override
  public String toString() {
    return numbers().stream().map(Cards::name).collect(Collectors.joining(" "));
  }
}
