import Contracts

/// A note that a partition keeps as one row; a second row would betray that it took effect twice.
struct NoteV1: Contract, Hashable {
    static let type: EventType = "test.note.v1"

    var text: String
    /// Makes the event as large as a test wants it.
    var filler: String?
}

/// A note of a later program.
struct NoteV2: Contract, Hashable {
    static let type: EventType = "test.note.v2"

    var text: String
}

/// Makes a partition send notes to partition 0 of another service.
struct RelayV1: Contract, Hashable {
    static let type: EventType = "test.relay.v1"

    var to: ServiceName
    var texts: [String]
    /// Bytes of filler in each note.
    var filler: Int?
    /// Whether nobody waits for the notes.
    var canWait: Bool?
}

/// Work for the outside.
struct JobsV1: Contract, Hashable {
    static let type: EventType = "test.jobs.v1"

    var keys: [String]
}

/// A relay that the edge asks for.
struct SayV1: RequestContract, Hashable {
    typealias Reply = Said

    static let type: EventType = "test.say.v1"

    var to: ServiceName
    var texts: [String]
    var filler: Int?
    /// Makes the request large.
    var ballast: String?
}

/// How many notes were sent.
struct Said: Codable, Hashable, Sendable {
    var count: Int
}

/// Asks for the notes of a partition as soon as there are so many.
struct NotesV1: RequestContract, Hashable {
    typealias Reply = Notes

    static let type: EventType = "test.notes.v1"

    /// 0 asks for what is there now.
    var atLeast: Int
    var until: Timestamp?
}

/// The notes of a partition in the order in which they took effect.
struct Notes: Codable, Hashable, Sendable {
    var texts: [String]
}

/// Asks for work for the outside; a job that is known is not enqueued again.
struct WorkV1: RequestContract, Hashable {
    typealias Reply = Said

    static let type: EventType = "test.work.v1"

    var keys: [String]
}
