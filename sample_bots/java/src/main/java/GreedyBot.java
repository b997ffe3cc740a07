import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import tongits.Action;
import tongits.Action.Kind;
import tongits.Bot;
import tongits.Cards;
import tongits.Melds;
import tongits.View;

/**
 * Puts down what it can as soon as it can, and throws away its highest loose card.
 *
 * <p>It looks at its own cards only: it never calls Draw, and it contests a call when its hand is
 * light.
 */
public final class GreedyBot {
  /** Contests a call with at most this many points in hand. */
  private static final int CHALLENGE_AT = 30;

  private GreedyBot() {}

  /** Takes, melds and lays off whatever is possible; else draws, discards or answers a call. */
  static Action decide(View view) {
    Map<Kind, List<Action>> byKind = new EnumMap<>(Kind.class);
    for (Action action : view.legal) {
      byKind.computeIfAbsent(action.kind(), kind -> new ArrayList<>()).add(action);
    }
    for (Kind kind : List.of(Kind.TAKE, Kind.CONCEAL, Kind.EXPOSE, Kind.LAYOFF)) {
      if (byKind.containsKey(kind)) {
        return cheapest(byKind.get(kind), Comparator.comparing(action -> -action.cards().points()));
      }
    }
    if (byKind.containsKey(Kind.DISCARD)) {
      return cheapest(byKind.get(Kind.DISCARD), Comparator.comparing(action -> leftAfter(view, action)));
    }
    if (byKind.containsKey(Kind.CHALLENGE)) {
      boolean isLight = Melds.deadwood(view.hand, view.game.runs()) <= CHALLENGE_AT;
      return byKind.get(isLight ? Kind.CHALLENGE : Kind.FOLD).get(0);
    }
    return byKind.get(Kind.DRAW).get(0);
  }

  /** The first of the cheapest. */
  private static Action cheapest(List<Action> actions, Comparator<Action> cost) {
    return Collections.min(actions, cost);
  }

  /** Points left in the hand once this card is gone. */
  private static int leftAfter(View view, Action discard) {
    Cards rest = view.hand.without(discard.cards());
    return Melds.deadwood(rest, view.game.runs());
  }

  public static void main(String[] args) {
    Bot.serve(GreedyBot::decide);
  }
}
