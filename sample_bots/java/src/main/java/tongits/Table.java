package tongits;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.lite.ProtoLiteUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.IntStream;
import tongits.v1.TableOuterClass.BotMessage;
import tongits.v1.TableOuterClass.Decision;
import tongits.v1.TableOuterClass.DecisionRequest;
import tongits.v1.TableOuterClass.Decisions;
import tongits.v1.TableOuterClass.GameOver;
import tongits.v1.TableOuterClass.GameStarted;
import tongits.v1.TableOuterClass.Hello;
import tongits.v1.TableOuterClass.TableMessage;

/** The stream, the games in progress and the answers not yet sent. */
final class Table {
  private static final String SDK = "tongits-java/1.0";

  /** As in bot.toml. */
  private static final int CONCURRENT_GAMES = 128;

  /** Characters kept of one note. */
  private static final int NOTE_LIMIT = 2000;

  /** With no more of notes than this in a message it stays below 64 KiB. */
  private static final int PENDING_NOTES = 6000;

  /** For the harness to read what was decided before a crash, or the wrong game is charged. */
  private static final int LINGER_MS = 50;

  static final MethodDescriptor<BotMessage, TableMessage> PLAY =
      MethodDescriptor.<BotMessage, TableMessage>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("tongits.v1.Table/Play")
          .setRequestMarshaller(ProtoLiteUtils.marshaller(BotMessage.getDefaultInstance()))
          .setResponseMarshaller(ProtoLiteUtils.marshaller(TableMessage.getDefaultInstance()))
          .build();

  private record Seat(Game game, Decide bot) {}

  /** What the stream brings: a message, or its end (with an error or without). */
  private record Arrival(TableMessage message, Throwable error) {}

  private final Function<Game, Decide> newGame;
  private final Map<String, Seat> seats = new HashMap<>();
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private final Decisions.Builder answers = Decisions.newBuilder();
  private StreamObserver<BotMessage> outbox;
  private int pendingNotes;
  private boolean isSeated;
  private long flushAfterNs;

  Table(Function<Game, Decide> newGame) {
    this.newGame = newGame;
  }

  /** Plays until the stream ends; gives the exit status. */
  int play(Channel channel) {
    outbox = ClientCalls.asyncBidiStreamingCall(channel.newCall(PLAY, CallOptions.DEFAULT), inbox());
    String token = System.getenv().getOrDefault("TONGITS_TOKEN", "");
    Hello.Builder hello = Hello.newBuilder().setProtocolVersion(1).setToken(token);
    hello.setConcurrentGames(CONCURRENT_GAMES).setSdk(SDK);
    outbox.onNext(BotMessage.newBuilder().setHello(hello).build());
    try {
      Arrival arrival = arrivals.take();
      for (; arrival.message() != null; arrival = arrivals.take()) {
        take(arrival.message());
      }
      return explain(arrival.error());
    } catch (Throwable failure) { // of the bot, whatever it is: what was decided before it counts
      failure.printStackTrace();
      linger();
      return 1;
    }
  }

  private StreamObserver<TableMessage> inbox() {
    return new StreamObserver<>() {
      @Override
      public void onNext(TableMessage message) {
        arrivals.add(new Arrival(message, null));
      }

      @Override
      public void onError(Throwable error) {
        arrivals.add(new Arrival(null, error));
      }

      @Override
      public void onCompleted() {
        arrivals.add(new Arrival(null, null));
      }
    };
  }

  /** Says why the stream broke, unless the table was simply taken away. */
  private int explain(Throwable error) {
    if (error == null) {
      return 0;
    }
    Status.Code code = Status.fromThrowable(error).getCode();
    if (isSeated && (code == Status.Code.UNAVAILABLE || code == Status.Code.CANCELLED)) {
      return 0;
    }
    System.err.println("The table refused this bot: " + error.getMessage());
    return 1;
  }

  private static void linger() {
    try {
      Thread.sleep(LINGER_MS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does what one message says, in the order of its fields. */
  private void take(TableMessage message) throws Exception {
    if (message.hasWelcome()) {
      isSeated = true;
      flushAfterNs = message.getWelcome().getDecisionLimitUs() * 1000 / 10;
    }
    message.getStartedList().forEach(this::start);
    try {
      answerAll(message.getRequestsList());
    } finally {
      flush();
    }
    message.getOverList().stream().map(GameOver::getGameId).forEach(seats::remove);
  }

  private Seat start(GameStarted message) {
    Game game = new Game(message);
    Seat seat = new Seat(game, newGame.apply(game));
    seats.put(message.getGameId(), seat);
    return seat;
  }

  /** Answers in order; sends when the first answer has waited long enough. */
  private void answerAll(List<DecisionRequest> requests) throws Exception {
    long start = System.nanoTime();
    for (DecisionRequest request : requests) {
      answers.addDecisions(answer(request));
      if (System.nanoTime() - start > flushAfterNs || pendingNotes > PENDING_NOTES) {
        flush();
        start = System.nanoTime();
      }
    }
  }

  private Decision answer(DecisionRequest request) throws Exception {
    Seat seat = seats.get(request.getGameId());
    if (seat == null) { // a practice decision of a game that was never announced
      seat = start(GameStarted.newBuilder().setGameId(request.getGameId()).build());
    }
    View view = new View(request, seat.game());
    Action action = seat.bot().decide(view);
    Decision.Builder answer = Decision.newBuilder().setDecisionId(request.getDecisionId());
    int index = view.legal.indexOf(action);
    if (index >= 0) {
      answer.setIndex(index);
    } else { // the harness says what is wrong with it
      answer.setAction(action.message());
    }
    String note = view.note.substring(0, Math.min(view.note.length(), NOTE_LIMIT));
    pendingNotes += note.length();
    return answer.setNote(note).build();
  }

  private void flush() {
    if (answers.getDecisionsCount() > 0) {
      outbox.onNext(BotMessage.newBuilder().setDecisions(answers).build());
      answers.clear();
      pendingNotes = 0;
    }
  }

  static ByteString bytes(Cards cards) {
    byte[] numbers = new byte[cards.size()];
    List<Integer> held = cards.numbers();
    IntStream.range(0, numbers.length).forEach(i -> numbers[i] = held.get(i).byteValue());
    return ByteString.copyFrom(numbers);
  }

  static List<Integer> numbers(ByteString cards) {
    return IntStream.range(0, cards.size()).mapToObj(i -> (int) cards.byteAt(i)).toList();
  }
}
