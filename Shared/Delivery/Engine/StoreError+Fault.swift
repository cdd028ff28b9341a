import Database

extension StoreError {
    /// Whether a retry may succeed without the store being reopened.
    var mayPass: Bool { pause != nil }

    /// What is logged, and what a requester is told, while nothing can be accepted; nil of a fault that does not pass.
    var pause: (line: String, answer: String)? {
        switch self {
        case .busy, .full:
            ("The disk is full or busy; nothing was accepted", "the store cannot write now; try again")
        case .unproven:
            (
                "The commit log does not answer, and the lease has run out; nothing was accepted",
                "the commit log does not answer now; try again"
            )
        case .failed, .constraint, .newerSchema, .corrupt, .damaged, .replaced, .taken: nil
        }
    }

    /// Whether the message has no part in the fault.
    var isTransient: Bool {
        switch self {
        case .busy, .full, .unproven, .failed, .damaged, .replaced, .taken: true
        case .constraint, .newerSchema, .corrupt: false
        }
    }
}
