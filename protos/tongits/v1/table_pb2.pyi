from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_START: _ClassVar[Phase]
    PHASE_ACTION: _ClassVar[Phase]
    PHASE_RESPOND: _ClassVar[Phase]

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_DRAW: _ClassVar[ActionKind]
    ACTION_KIND_TAKE: _ClassVar[ActionKind]
    ACTION_KIND_EXPOSE: _ClassVar[ActionKind]
    ACTION_KIND_CONCEAL: _ClassVar[ActionKind]
    ACTION_KIND_LAYOFF: _ClassVar[ActionKind]
    ACTION_KIND_DISCARD: _ClassVar[ActionKind]
    ACTION_KIND_CALL: _ClassVar[ActionKind]
    ACTION_KIND_CHALLENGE: _ClassVar[ActionKind]
    ACTION_KIND_FOLD: _ClassVar[ActionKind]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_DREW: _ClassVar[EventKind]
    EVENT_KIND_TOOK: _ClassVar[EventKind]
    EVENT_KIND_EXPOSED: _ClassVar[EventKind]
    EVENT_KIND_CONCEALED: _ClassVar[EventKind]
    EVENT_KIND_LAID_OFF: _ClassVar[EventKind]
    EVENT_KIND_DISCARDED: _ClassVar[EventKind]
    EVENT_KIND_CALLED: _ClassVar[EventKind]
    EVENT_KIND_CHALLENGED: _ClassVar[EventKind]
    EVENT_KIND_FOLDED: _ClassVar[EventKind]

class Termination(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TERMINATION_UNSPECIFIED: _ClassVar[Termination]
    TERMINATION_TONGITS: _ClassVar[Termination]
    TERMINATION_DRAW_UNCONTESTED: _ClassVar[Termination]
    TERMINATION_DRAW_CONTESTED: _ClassVar[Termination]
    TERMINATION_STOCK_OUT: _ClassVar[Termination]
    TERMINATION_VOID: _ClassVar[Termination]
PHASE_UNSPECIFIED: Phase
PHASE_START: Phase
PHASE_ACTION: Phase
PHASE_RESPOND: Phase
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_DRAW: ActionKind
ACTION_KIND_TAKE: ActionKind
ACTION_KIND_EXPOSE: ActionKind
ACTION_KIND_CONCEAL: ActionKind
ACTION_KIND_LAYOFF: ActionKind
ACTION_KIND_DISCARD: ActionKind
ACTION_KIND_CALL: ActionKind
ACTION_KIND_CHALLENGE: ActionKind
ACTION_KIND_FOLD: ActionKind
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_DREW: EventKind
EVENT_KIND_TOOK: EventKind
EVENT_KIND_EXPOSED: EventKind
EVENT_KIND_CONCEALED: EventKind
EVENT_KIND_LAID_OFF: EventKind
EVENT_KIND_DISCARDED: EventKind
EVENT_KIND_CALLED: EventKind
EVENT_KIND_CHALLENGED: EventKind
EVENT_KIND_FOLDED: EventKind
TERMINATION_UNSPECIFIED: Termination
TERMINATION_TONGITS: Termination
TERMINATION_DRAW_UNCONTESTED: Termination
TERMINATION_DRAW_CONTESTED: Termination
TERMINATION_STOCK_OUT: Termination
TERMINATION_VOID: Termination

class BotMessage(_message.Message):
    __slots__ = ("hello", "decisions")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    decisions: Decisions
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., decisions: _Optional[_Union[Decisions, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol_version", "token", "concurrent_games", "sdk")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    CONCURRENT_GAMES_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    token: str
    concurrent_games: int
    sdk: str
    def __init__(self, protocol_version: _Optional[int] = ..., token: _Optional[str] = ..., concurrent_games: _Optional[int] = ..., sdk: _Optional[str] = ...) -> None: ...

class Decisions(_message.Message):
    __slots__ = ("decisions",)
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[Decision]
    def __init__(self, decisions: _Optional[_Iterable[_Union[Decision, _Mapping]]] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("decision_id", "index", "action", "note")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    decision_id: int
    index: int
    action: Action
    note: str
    def __init__(self, decision_id: _Optional[int] = ..., index: _Optional[int] = ..., action: _Optional[_Union[Action, _Mapping]] = ..., note: _Optional[str] = ...) -> None: ...

class TableMessage(_message.Message):
    __slots__ = ("welcome", "started", "requests", "over")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    started: _containers.RepeatedCompositeFieldContainer[GameStarted]
    requests: _containers.RepeatedCompositeFieldContainer[DecisionRequest]
    over: _containers.RepeatedCompositeFieldContainer[GameOver]
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., started: _Optional[_Iterable[_Union[GameStarted, _Mapping]]] = ..., requests: _Optional[_Iterable[_Union[DecisionRequest, _Mapping]]] = ..., over: _Optional[_Iterable[_Union[GameOver, _Mapping]]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol_version", "concurrent_games", "decision_limit_us", "session_bank_us")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    CONCURRENT_GAMES_FIELD_NUMBER: _ClassVar[int]
    DECISION_LIMIT_US_FIELD_NUMBER: _ClassVar[int]
    SESSION_BANK_US_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    concurrent_games: int
    decision_limit_us: int
    session_bank_us: int
    def __init__(self, protocol_version: _Optional[int] = ..., concurrent_games: _Optional[int] = ..., decision_limit_us: _Optional[int] = ..., session_bank_us: _Optional[int] = ...) -> None: ...

class GameStarted(_message.Message):
    __slots__ = ("game_id", "rules", "parameters", "seat", "dealer", "bot_seed", "pot", "streaks", "resumed", "history")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    BOT_SEED_FIELD_NUMBER: _ClassVar[int]
    POT_FIELD_NUMBER: _ClassVar[int]
    STREAKS_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    rules: str
    parameters: _containers.ScalarMap[str, str]
    seat: int
    dealer: int
    bot_seed: bytes
    pot: int
    streaks: _containers.RepeatedScalarFieldContainer[int]
    resumed: bool
    history: _containers.RepeatedCompositeFieldContainer[Event]
    def __init__(self, game_id: _Optional[str] = ..., rules: _Optional[str] = ..., parameters: _Optional[_Mapping[str, str]] = ..., seat: _Optional[int] = ..., dealer: _Optional[int] = ..., bot_seed: _Optional[bytes] = ..., pot: _Optional[int] = ..., streaks: _Optional[_Iterable[int]] = ..., resumed: _Optional[bool] = ..., history: _Optional[_Iterable[_Union[Event, _Mapping]]] = ...) -> None: ...

class DecisionRequest(_message.Message):
    __slots__ = ("decision_id", "game_id", "time_left_us", "observation")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_US_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    decision_id: int
    game_id: str
    time_left_us: int
    observation: Observation
    def __init__(self, decision_id: _Optional[int] = ..., game_id: _Optional[str] = ..., time_left_us: _Optional[int] = ..., observation: _Optional[_Union[Observation, _Mapping]] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("seat", "phase", "dealer", "turn", "hand", "hand_sizes", "opened", "call_blocked", "stock_size", "discards", "melds", "caller", "caller_points", "challengers", "legal", "events")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    OPENED_FIELD_NUMBER: _ClassVar[int]
    CALL_BLOCKED_FIELD_NUMBER: _ClassVar[int]
    STOCK_SIZE_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    MELDS_FIELD_NUMBER: _ClassVar[int]
    CALLER_FIELD_NUMBER: _ClassVar[int]
    CALLER_POINTS_FIELD_NUMBER: _ClassVar[int]
    CHALLENGERS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    phase: Phase
    dealer: int
    turn: int
    hand: bytes
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    opened: _containers.RepeatedScalarFieldContainer[bool]
    call_blocked: _containers.RepeatedScalarFieldContainer[bool]
    stock_size: int
    discards: bytes
    melds: _containers.RepeatedCompositeFieldContainer[Meld]
    caller: int
    caller_points: int
    challengers: _containers.RepeatedScalarFieldContainer[int]
    legal: _containers.RepeatedCompositeFieldContainer[Action]
    events: _containers.RepeatedCompositeFieldContainer[Event]
    def __init__(self, seat: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., dealer: _Optional[int] = ..., turn: _Optional[int] = ..., hand: _Optional[bytes] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., opened: _Optional[_Iterable[bool]] = ..., call_blocked: _Optional[_Iterable[bool]] = ..., stock_size: _Optional[int] = ..., discards: _Optional[bytes] = ..., melds: _Optional[_Iterable[_Union[Meld, _Mapping]]] = ..., caller: _Optional[int] = ..., caller_points: _Optional[int] = ..., challengers: _Optional[_Iterable[int]] = ..., legal: _Optional[_Iterable[_Union[Action, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ...) -> None: ...

class Meld(_message.Message):
    __slots__ = ("owner", "cards", "face_down", "size")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    FACE_DOWN_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    owner: int
    cards: bytes
    face_down: bool
    size: int
    def __init__(self, owner: _Optional[int] = ..., cards: _Optional[bytes] = ..., face_down: _Optional[bool] = ..., size: _Optional[int] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("kind", "cards", "meld")
    KIND_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    MELD_FIELD_NUMBER: _ClassVar[int]
    kind: ActionKind
    cards: bytes
    meld: int
    def __init__(self, kind: _Optional[_Union[ActionKind, str]] = ..., cards: _Optional[bytes] = ..., meld: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("number", "kind", "seat", "cards", "meld", "points")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    MELD_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    number: int
    kind: EventKind
    seat: int
    cards: bytes
    meld: int
    points: int
    def __init__(self, number: _Optional[int] = ..., kind: _Optional[_Union[EventKind, str]] = ..., seat: _Optional[int] = ..., cards: _Optional[bytes] = ..., meld: _Optional[int] = ..., points: _Optional[int] = ...) -> None: ...

class GameOver(_message.Message):
    __slots__ = ("game_id", "termination", "winner", "payments", "hands", "events")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    TERMINATION_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    PAYMENTS_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    termination: Termination
    winner: int
    payments: _containers.RepeatedScalarFieldContainer[int]
    hands: _containers.RepeatedScalarFieldContainer[bytes]
    events: _containers.RepeatedCompositeFieldContainer[Event]
    def __init__(self, game_id: _Optional[str] = ..., termination: _Optional[_Union[Termination, str]] = ..., winner: _Optional[int] = ..., payments: _Optional[_Iterable[int]] = ..., hands: _Optional[_Iterable[bytes]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ...) -> None: ...
