package tongits;

import tongits.v1.TableOuterClass.DecisionRequest;
import tongits.v1.TableOuterClass.GameStarted;
import tongits.v1.TableOuterClass.Observation;

/** Makes views out of text, for tests. */
public final class Views {
  private Views() {}

  /** A view at the end of a turn: each card of the hand may be discarded. */
  public static View discarding(String hand) {
    Cards cards = Cards.parse(hand);
    Observation.Builder seen = Observation.newBuilder().setPhaseValue(2).setHand(Table.bytes(cards));
    for (int number : cards.numbers()) {
      Cards card = new Cards(1L << number);
      seen.addLegal(new Action(Action.Kind.DISCARD, card, 0).message());
    }
    DecisionRequest request = DecisionRequest.newBuilder().setObservation(seen).build();
    return new View(request, new Game(GameStarted.getDefaultInstance()));
  }
}
