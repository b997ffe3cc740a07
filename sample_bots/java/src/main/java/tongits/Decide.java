package tongits;

/** A bot. */
@FunctionalInterface
public interface Decide {
  /** Chooses one of `view.legal`. */
  Action decide(View view) throws Exception;
}
