package tongits;

import com.google.protobuf.ByteString;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import tongits.v1.TableOuterClass;
import tongits.v1.TableOuterClass.BotMessage;
import tongits.v1.TableOuterClass.DecisionRequest;
import tongits.v1.TableOuterClass.GameStarted;
import tongits.v1.TableOuterClass.Observation;
import tongits.v1.TableOuterClass.TableMessage;
import tongits.v1.TableOuterClass.Welcome;

/**
 * Plays one decision at a table of its own. The build runs it to learn which classes a bot loads;
 * it is no part of the bot.
 */
final class Rehearsal {
  private Rehearsal() {}

  public static void main(String[] args) throws Exception {
    Bot.prepareNetty();
    Path socket = Files.createTempDirectory("rehearsal").resolve("s");
    MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        .channelType(NioServerDomainSocketChannel.class)
        .bossEventLoopGroup(loop)
        .workerEventLoopGroup(loop)
        .addService(
            ServerServiceDefinition.builder("tongits.v1.Table")
                .addMethod(Table.PLAY, ServerCalls.asyncBidiStreamingCall(Rehearsal::host))
                .build())
        .build()
        .start();
    Table table = new Table(game -> view -> view.legal.get(view.random().nextInt(2)));
    int status = table.play(Bot.dial("unix:" + socket));
    Files.deleteIfExists(socket);
    Files.delete(socket.getParent());
    System.exit(status);
  }

  /** Welcomes and asks once, says goodbye at the answer. */
  private static StreamObserver<BotMessage> host(StreamObserver<TableMessage> bot) {
    return new StreamObserver<>() {
      @Override
      public void onNext(BotMessage message) {
        if (message.hasHello()) {
          bot.onNext(question());
        } else {
          bot.onCompleted();
        }
      }

      @Override
      public void onError(Throwable error) {}

      @Override
      public void onCompleted() {}
    };
  }

  private static TableMessage question() {
    GameStarted.Builder started = GameStarted.newBuilder().setGameId("rehearsal");
    Observation.Builder seen = Observation.newBuilder().setPhaseValue(2).addOpened(true).addHandSizes(3);
    seen.setHand(card(7)).setDiscards(card(9));
    seen.addMelds(TableOuterClass.Meld.newBuilder().setCards(card(1)));
    for (int number : Cards.parse("7H 8H 9C").numbers()) {
      seen.addLegal(TableOuterClass.Action.newBuilder().setKindValue(6).setCards(card(number)));
    }
    return TableMessage.newBuilder()
        .setWelcome(Welcome.newBuilder().setDecisionLimitUs(1_000_000))
        .addStarted(started.putParameters("meld.runs", "true"))
        .addRequests(DecisionRequest.newBuilder().setGameId("rehearsal").setObservation(seen))
        .build();
  }

  private static ByteString card(int number) {
    return ByteString.copyFrom(new byte[] {(byte) number});
  }
}
