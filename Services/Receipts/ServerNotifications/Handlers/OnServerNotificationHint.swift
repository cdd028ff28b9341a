import Contracts
import Delivery

/// `counterfoil.servernotification.hint.v1`: an unsigned notification triggers a query to Apple.
///
/// Apple repeats a hint that is refused as busy.
struct OnServerNotificationHint {
    let policies: [BundleID: AppPolicy]
    let secrets: [BundleID: String]

    func callAsFunction(
        _ message: Event<ServerNotificationHintV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ServerNotificationHintedV1> {
        let hint = message.data
        let store = AppleQueryStore(connection: context.connection)
        let subject = AppleQuery.Subject.history(
            HistoryQuery(environment: hint.environment, transactionId: hint.originalTransactionId)
        )
        let known = try store.known(AppleQuery.id(of: subject, in: hint.bundleId))
        do {
            let isQueried = try ServerNotificationHint.isQueried(
                hint,
                policy: policies[hint.bundleId],
                secret: secrets[hint.bundleId],
                known: known,
                now: context.now
            ) {
                try store.hasMany(ServerNotificationHint.maximumQueries)
            }
            if isQueried { try AppleQueries(context).ask(subject, of: hint.bundleId, .background) }
            return .reply(ServerNotificationHintedV1(originalTransactionId: hint.originalTransactionId))
        } catch let refusal as ServerNotificationHint.Refusal {
            return .refused(RequestRefusal(refusal))
        }
    }
}

extension RequestRefusal {
    fileprivate init(_ refusal: ServerNotificationHint.Refusal) {
        switch refusal {
        case .noKey:
            self.init(.busy, "no App Store Server API key is configured for this app", field: "bid")
        case .noSecret:
            let detail = "needs verifyReceipt.sharedSecret in the configuration, which this app has not"
            self.init(.busy, detail, field: "password")
        case .wrongSecret: self.init(.busy, "is not the app's shared secret", field: "password")
        case .invalidTransaction:
            self.init(.invalid, "is no transaction id", field: "original_transaction_id")
        case .tooManyQueries: self.init(.busy, "too much is being asked already; try again")
        }
    }
}
