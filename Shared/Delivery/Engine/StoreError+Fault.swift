import Database

extension StoreError {
    /// Whether a retry may succeed without the store being reopened.
    var mayPass: Bool { self == .busy || self == .full }

    /// Whether the message has no part in the fault.
    var isTransient: Bool {
        switch self {
        case .busy, .full, .failed, .damaged, .replaced, .taken: true
        case .constraint, .newerSchema, .corrupt: false
        }
    }
}
