import Contracts
import Delivery

/// What this partition asks Apple.
struct AppleQueries {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Asks Apple, after COMMIT and as soon as the rate limit allows.
    func ask(
        _ subject: AppleQuery.Subject,
        of bundleID: BundleID,
        to api: AppleAPI = .serverAPI,
        _ urgency: AppleQuery.Urgency
    ) throws {
        let query = AppleQuery(subject, of: bundleID, to: api, urgency: urgency, askedAt: context.now)
        try AppleQueryStore(connection: context.connection).ask(query)
        context.scheduleWork(at: context.now)
    }
}
