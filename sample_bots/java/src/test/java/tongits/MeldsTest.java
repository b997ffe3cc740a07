package tongits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MeldsTest {
  @ParameterizedTest
  @CsvSource({
    "'', true, 0, 0",
    "AC 2C 3C, true, 0, 1",
    "AC 2C 3C, false, 6, 0",
    "4C 4D 4H 4S, true, 0, 1",
    "4C 4D 4H 4S 5S 6S, true, 0, 2",
    "4C 4D 4H 4S 5S 6S, false, 11, 1",
    "QC KC AC, true, 21, 0",
    "7C 7D 7H 8H 9H TH, true, 0, 2",
    "2C 3C 4C 5C 6C 5D 5H KS, true, 16, 2",
  })
  void deadwoodIsTheLeastThatCanBeLeft(String cards, boolean runs, int left, int melds) {
    Cards hand = Cards.parse(cards);
    assertEquals(left, Melds.deadwood(hand, runs));
    assertEquals(melds, Melds.best(hand, runs).size());
    assertEquals(left, Melds.loose(hand, runs).points());
  }

  @Test
  void findsEveryMeld() {
    List<Cards> found = Melds.in(Cards.parse("4C 4D 4H 4S 5S 6S 7S"), true);
    assertEquals(8, found.size()); // four sets of three, one of four, 456 4567 567
    assertTrue(found.stream().allMatch(meld -> Melds.isMeld(meld, true)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "4C", "4C 4D", "4C 5C 6D", "QC KC AC", "4C 5C 7C"})
  void tellsWhatIsNoMeld(String cards) {
    assertFalse(Melds.isMeld(Cards.parse(cards), true));
  }

  @Test
  void aRunIsNoMeldWhereThereAreNone() {
    assertFalse(Melds.isMeld(Cards.parse("4C 5C 6C"), false));
  }

  @Test
  void refusesWhatIsNoCard() {
    assertThrows(IllegalArgumentException.class, () -> Cards.parse("4H 1S"));
  }
}
