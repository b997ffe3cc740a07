import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import tongits.Vector;

final class GreedyBotTest {
  @Test
  void answersAsGreedyDoesInEveryLanguage() throws IOException {
    List<Vector> observations = Vector.all();
    assertTrue(observations.size() >= 500);
    for (Vector observation : observations) {
      assertEquals(
          observation.greedy(), GreedyBot.decide(observation.view()).toString(), observation.id());
    }
  }
}
