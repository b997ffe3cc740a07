"""A bot of the Python kit that thinks nothing: the first legal action."""

from tongits_bot import serve

if __name__ == "__main__":
    serve(lambda view: view.legal[0])
