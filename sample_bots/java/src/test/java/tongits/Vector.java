package tongits;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tongits.v1.TableOuterClass.DecisionRequest;
import tongits.v1.TableOuterClass.GameStarted;

/** One recorded observation, and what the bot `greedy` of all languages answers to it. */
public record Vector(String id, View view, String greedy) {
  private static final Pattern MEMBER = Pattern.compile("\"(\\w+)\": ?\"([^\"]*)\"");

  /** Those of corpus.jsonl beside pom.xml, or else of the corpus shared by the kits. */
  public static List<Vector> all() throws IOException {
    Path own = Path.of("corpus.jsonl");
    Path shared = Path.of("..", "corpus", "observations.jsonl");
    try (Stream<String> lines = Files.lines(Files.exists(own) ? own : shared)) {
      return lines.map(Vector::parse).toList();
    }
  }

  private static Vector parse(String line) {
    Map<String, String> told = new HashMap<>();
    Matcher members = MEMBER.matcher(line);
    while (members.find()) {
      told.putIfAbsent(members.group(1), members.group(2));
    }
    Base64.Decoder base64 = Base64.getDecoder();
    try {
      GameStarted started = GameStarted.parseFrom(base64.decode(told.get("started")));
      DecisionRequest request = DecisionRequest.parseFrom(base64.decode(told.get("request")));
      return new Vector(told.get("id"), new View(request, new Game(started)), told.get("greedy"));
    } catch (InvalidProtocolBufferException broken) {
      throw new IllegalArgumentException(told.get("id"), broken);
    }
  }
}
