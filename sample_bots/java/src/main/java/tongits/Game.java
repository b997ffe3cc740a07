package tongits;

import tongits.v1.TableOuterClass.GameStarted;

/**
 * What stays the same throughout one game.
 *
 * @param started all that is known of it: getRules, getSeat, getDealer, getPot, getStreaksList,
 *     getBotSeed, getHistoryList, as protos/tongits/v1/table.proto explains them
 * @param runs whether runs are melds under these rules
 */
public record Game(GameStarted started, boolean runs) {
  public Game(GameStarted started) {
    this(started, !started.getParametersOrDefault("meld.runs", "true").equals("false"));
  }
}
