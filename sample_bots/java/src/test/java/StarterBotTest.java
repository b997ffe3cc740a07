import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import tongits.Action;
import tongits.Vector;
import tongits.Views;

final class StarterBotTest {
  @Test
  void answersWithALegalAction() throws IOException {
    for (Vector observation : Vector.all()) {
      Action action = StarterBot.decide(observation.view());
      assertTrue(observation.view().legal.contains(action), observation.id());
    }
  }

  @Test
  void throwsAwayWhatLeavesTheLeast() {
    assertEquals("discard 9C", StarterBot.decide(Views.discarding("2S 9C KC KD KH")).toString());
  }
}
