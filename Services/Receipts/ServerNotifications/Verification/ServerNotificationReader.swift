import AppStore
import Contracts

protocol ServerNotificationReader: Sendable {
    /// The content of `signedPayload`; `now` replaces a missing signing time.
    func notification(
        in signedPayload: String,
        now: Timestamp
    ) throws(ServerNotificationFailure) -> ServerNotification
}

struct AppStoreServerNotificationReader: ServerNotificationReader {
    let verifier: ServerNotificationVerifier

    func notification(
        in signedPayload: String,
        now: Timestamp
    ) throws(ServerNotificationFailure) -> ServerNotification {
        do {
            return ServerNotification(try verifier.verify(signedPayload, now: now))
        } catch {
            throw ServerNotificationFailure(ProofFailure(error.reason), isInside: error.item != nil)
        }
    }
}

extension ServerNotification {
    fileprivate init(_ notification: VerifiedServerNotification) {
        self.init(
            notificationUUID: notification.notificationUUID,
            type: notification.type,
            subtype: notification.subtype,
            bundleId: notification.bundleId,
            appAppleId: notification.appAppleId,
            environment: notification.environment,
            transaction: notification.transaction,
            renewal: RenewalFacts(
                notification.renewalInfo,
                of: notification.transaction,
                now: notification.signedDate
            ),
            status: notification.payload.data?.status,
            appTransaction: notification.appTransaction.map {
                AppTransactionFacts(
                    bundleId: $0.bundleId,
                    environment: $0.origin.environment,
                    appTransactionId: $0.appTransactionId
                )
            },
            externalPurchase: notification.payload.externalPurchaseToken.map {
                ExternalPurchaseFacts(
                    externalPurchaseId: $0.externalPurchaseId,
                    tokenType: $0.tokenType,
                    tokenCreationDate: $0.tokenCreationDate?.timestamp,
                    tokenExpirationDate: $0.tokenExpirationDate?.timestamp
                )
            },
            unknownPart: notification.payload.unknownPart?.name,
            signedDate: notification.signedDate
        )
    }
}

extension RenewalFacts {
    /// Nil without a renewal of the transaction's subscription; `now` replaces an absent signing time.
    init?(_ renewal: RenewalInfoPayload?, of transaction: SignedTransaction?, now: Timestamp) {
        guard let renewal, let transaction else { return nil }
        let chain = transaction.originalTransactionId
        guard renewal.originalTransactionId ?? chain == chain,
            renewal.environment ?? transaction.environment == transaction.environment
        else { return nil }
        self.init(
            signedDate: renewal.signingTime ?? now,
            autoRenewStatus: renewal.commitmentAutoRenewStatus ?? renewal.autoRenewStatus,
            autoRenewProductId: renewal.autoRenewProductId.flatMap(ProductID.init(rawValue:)),
            isInBillingRetryPeriod: renewal.isInBillingRetryPeriod,
            gracePeriodExpiresDate: renewal.gracePeriodExpiresDate?.timestamp
        )
        expirationIntent = renewal.expirationIntent
        renewalPrice = renewal.renewalPrice
        currency = renewal.currency.flatMap { $0.isAppleName ? $0 : nil }
        priceIncreaseStatus = renewal.priceIncreaseStatus
    }
}

extension RenewalInfoPayload {
    /// Whether a commitment of 12 months goes on after its last period; nil outside of one.
    ///
    /// A buyer who cancels turns this off: `autoRenewStatus` is of the next month, and stays on.
    fileprivate var commitmentAutoRenewStatus: Int? {
        guard case .object(let members)? = commitmentInfo,
            case .integer(let status)? = members["commitmentAutoRenewStatus"]
        else { return nil }
        return Int(status)
    }
}
