import Contracts

/// Where a page of retries begins: submissions first, then orphans, then notifications.
struct RetryCursor: Equatable {
    private static let kinds: [RetryPage.Kind] = [.submission, .orphan, .serverNotification]

    let kind: RetryPage.Kind
    /// The key after which it begins; empty for the first page of a kind.
    let key: [String]

    /// The cursor in a request, or the first; nil if invalid.
    init?(_ columns: [String]?) {
        let columns = columns ?? [RetryPage.Kind.submission.rawValue]
        guard let kind = columns.first.flatMap(RetryPage.Kind.init(rawValue:)), Self.kinds.contains(kind),
            [0, kind == .orphan ? 3 : 1].contains(columns.count - 1)
        else { return nil }
        self.kind = kind
        key = Array(columns.dropFirst())
    }

    /// The cursor after a page with this last key; nil after the last page of the last kind.
    func next(after key: [String]?, isLast: Bool) -> [String]? {
        if !isLast, let key { return [kind.rawValue] + key }
        return Self.kinds.drop { $0 != kind }.dropFirst().first.map { [$0.rawValue] }
    }
}
