import tongits.Action;
import tongits.Bot;
import tongits.Cards;
import tongits.Melds;
import tongits.View;

/** Your bot: write `decide`, the rest is done. */
public final class StarterBot {
  private StarterBot() {}

  /**
   * Chooses one of `view.legal`. This one melds whenever it can, draws, and throws away the card
   * that leaves the least points in its hand.
   */
  static Action decide(View view) {
    Action best = view.legal.get(0);
    int least = Integer.MAX_VALUE;
    for (Action action : view.legal) {
      switch (action.kind()) {
        case TAKE, EXPOSE, LAYOFF -> {
          return action;
        }
        case DISCARD -> {
          Cards rest = view.hand.without(action.cards());
          int left = Melds.deadwood(rest, view.game.runs());
          if (left < least) {
            best = action;
            least = left;
          }
        }
        default -> {}
      }
    }
    return best;
  }

  public static void main(String[] args) {
    Bot.serve(StarterBot::decide);
  }
}
