/// Twenty sales of a list, and where the next page begins.
struct Page: Sendable {
    /// As Apple's.
    static let size = 20

    let sales: [Sale]
    /// Apple's opaque `revision`: here the moment of the last change on the page.
    let revision: String
    let hasMore: Bool

    /// The page after a revision of sales that are in the order of their changes, or in its reverse.
    init(of sales: [Sale], after revision: String?, descending: Bool = false) throws(APIError) {
        let last = try revision.map(Self.moment)
        let rest = (descending ? sales.reversed() : sales).filter { sale in
            guard let last else { return true }
            return descending ? sale.modified < last : sale.modified > last
        }
        self.sales = Array(rest.prefix(Self.size))
        self.revision = "rev_\(self.sales.last?.modified ?? last ?? 0)"
        hasMore = rest.count > Self.size
    }

    private static func moment(_ revision: String) throws(APIError) -> Int64 {
        guard revision.hasPrefix("rev_"), let moment = Int64(revision.dropFirst(4)) else {
            throw .invalidRequestRevision
        }
        return moment
    }
}
