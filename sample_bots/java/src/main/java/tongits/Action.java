package tongits;

import java.util.Locale;
import tongits.v1.TableOuterClass;

/**
 * One thing a seat can do.
 *
 * @param kind what it does
 * @param cards TAKE, EXPOSE, CONCEAL: the whole meld. LAYOFF, DISCARD: one card
 * @param meld LAYOFF: the number of the meld
 */
public record Action(Kind kind, Cards cards, int meld) {
  /** In the protocol's order, which counts from 1. */
  public enum Kind {
    DRAW,
    TAKE,
    EXPOSE,
    CONCEAL,
    LAYOFF,
    DISCARD,
    CALL,
    CHALLENGE,
    FOLD
  }

  private static final Kind[] KINDS = Kind.values();

  static Action of(TableOuterClass.Action message) {
    Kind kind = KINDS[message.getKindValue() - 1];
    return new Action(kind, Cards.of(message.getCards()), message.getMeld());
  }

  TableOuterClass.Action message() {
    return TableOuterClass.Action.newBuilder()
        .setKindValue(kind.ordinal() + 1)
        .setCards(Table.bytes(cards))
        .setMeld(meld)
        .build();
  }

  /** "layoff 7H 0": the text that `tongits referee` reads. */
  @Override
  public String toString() {
    String text = (kind.name().toLowerCase(Locale.ROOT) + " " + cards).strip();
    return kind == Kind.LAYOFF ? text + " " + meld : text;
  }
}
