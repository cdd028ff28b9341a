import Database

extension StoreError {
    /// Whether the same may succeed later without the store being reopened.
    var mayPass: Bool { self == .busy || self == .full }

    /// Whether the message has no part in the fault, so that nothing is counted against it.
    var isTransient: Bool {
        switch self {
        case .busy, .full, .failed, .damaged, .replaced: true
        case .constraint, .newerSchema, .corrupt: false
        }
    }
}
