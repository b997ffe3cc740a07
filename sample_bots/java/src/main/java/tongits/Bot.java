package tongits;

import io.grpc.Channel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Plays at the table that the harness sets up, until it has had enough, then ends the program. */
public final class Bot {
  private static final String HOW_TO_RUN =
      """
      This is a Tongits Arena bot. It plays at a table that the harness sets up, so the harness starts it:
          tongits run random greedy BOT_FOLDER
      (TONGITS_ADDRESS is not set: that is the address of the table.)""";

  /** Warns that unix sockets lack an option of TCP; kept, for a forgotten logger forgets its level. */
  private static final Logger NETTY = Logger.getLogger("io.netty.bootstrap");

  private Bot() {}

  /** Plays with one function. */
  public static void serve(Decide decide) {
    serveGames(game -> decide);
  }

  /**
   * Plays each game with a bot of its own, made when the game begins: one that remembers. A game
   * that goes on in a new process is begun again with its history.
   */
  public static void serveGames(Function<Game, Decide> newGame) {
    String address = System.getenv("TONGITS_ADDRESS");
    if (address == null || address.isEmpty()) {
      System.err.println(HOW_TO_RUN);
      System.exit(2);
    }
    System.exit(new Table(newGame).play(dial(address)));
  }

  /** Java itself knows unix sockets; no native library is needed. */
  static Channel dial(String address) {
    prepareNetty();
    boolean isUnix = address.startsWith("unix:");
    String path = address.replaceFirst("^unix:(//)?", "");
    NettyChannelBuilder builder =
        isUnix
            ? NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(path))
            : NettyChannelBuilder.forTarget(address);
    return builder
        .channelType(isUnix ? NioDomainSocketChannel.class : NioSocketChannel.class)
        .eventLoopGroup(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()))
        .overrideAuthority("localhost")
        .usePlaintext()
        .disableRetry()
        .directExecutor()
        .build();
  }

  static void prepareNetty() {
    NETTY.setLevel(Level.SEVERE);
    System.setProperty("io.netty.jfr.enabled", "false"); // its events double the time to start
    System.setProperty("io.netty.machineId", "00:00:00:00:00:01"); // else it looks for a network card
  }
}
