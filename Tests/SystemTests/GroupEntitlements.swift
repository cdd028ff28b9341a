import Contracts
import Database
import Delivery

@testable import Entitlements

/// Entitlements as it is, or with one handler in another's place that breaks a law on purpose.
struct GroupEntitlements: GroupService {
    let real: EntitlementsService
    let variant: GroupVariant

    var timers: [any DurableTimer] {
        variant == .trustsWhatWasTold ? real.timers.map { TrustingHoldingTimer(real: $0) } : real.timers
    }

    func register(in table: inout HandlerTable) {
        real.register(in: &table)
        switch variant {
        case .readsLatestExpiry:
            table.on(request: EntitlementsGetV1.self, readByLatestExpiry)
        case .spendsStaleBalance:
            let handler = OnWalletMoveByStaleBalance(real: OnWalletMove(catalog: real.catalog(0)))
            table.on(request: WalletMoveV1.self) { try handler($0, in: $1) }
        case .ignoresLateProof:
            table.on(PurchaseReportedV1.self, grantBesideCompensation)
        case .keepsWhatMoves:
            table.on(TransferRequestedV1.self, answerWithoutTaking)
        default: break
        }
    }

    /// Access until the latest `expiresDate` of each subscription.
    private func readByLatestExpiry(
        _ message: Event<EntitlementsGetV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<EntitlementsV1> {
        guard case .reply(var reply) = try OnEntitlementsGet()(message, in: context) else {
            return .refused(.noSuchSpend)
        }
        let (buyer, store) = (BuyerKey(message.data), SubscriptionStore(connection: context.connection))
        for (original, _) in try store.access(buyer) {
            let key = SubscriptionKey(buyer: buyer, originalTransactionId: original)
            let last = try store.chain(key).periods.max {
                ($0.expiresDate ?? $0.purchaseDate) < ($1.expiresDate ?? $1.purchaseDate)
            }
            guard let last, let end = last.expiresDate, end > context.now else { continue }
            for name in last.entitlements
            where !reply.entitlements.contains(where: { $0.entitlement == name }) {
                reply.entitlements.append(
                    EntitlementsV1.Possession(
                        entitlement: name,
                        productId: last.productId,
                        since: last.purchaseDate,
                        expires: end
                    )
                )
            }
        }
        return .reply(reply)
    }

    /// A purchase whose order nobody is seen to have made up for.
    private func grantBesideCompensation(
        _ message: Event<PurchaseReportedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        try context.connection.execute(
            """
            UPDATE compensation SET order_id = 'hidden ' || proposal_id
            WHERE order_id = \(message.data.order.orderId)
            """
        )
        try context.connection.execute("DELETE FROM compensation_name")
        return try OnPurchaseReported(catalog: real.catalog(0))(message, in: context)
    }

    /// A purchase that moves before it is taken from its holder's ledger.
    private func answerWithoutTaking(
        _ message: Event<TransferRequestedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let request = message.data
        try context.send(
            TransferAnsweredV1(
                request.transaction,
                buyerId: request.buyerId,
                toBuyerId: request.toBuyerId,
                transfer: request.transfer,
                isTaken: true,
                cause: request.cause
            )
        )
        return .applied
    }
}

/// A spend that goes by what the one before it has read, and so misses what that one took.
private final class OnWalletMoveByStaleBalance {
    private let real: OnWalletMove
    private var seen: [String: Int64] = [:]

    init(real: OnWalletMove) { self.real = real }

    func callAsFunction(
        _ message: Event<WalletMoveV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<WalletEntryV1> {
        let content = message.data
        guard content.kind == .spend else { return try real(message, in: context) }
        let request = WalletRequest(
            .spend,
            content.bundleId,
            content.buyerId,
            key: content.idempotencyKey,
            content: "\(content.entitlement) \(content.amount)"
        )
        return try WalletRequests(context).carryOut(request, of: message.id) { holdings, _ in
            let key = HoldingKey(
                content.bundleId,
                content.buyerId,
                content.environment,
                content.entitlement
            )
            let (name, balance) = (
                "\(content.buyerId) \(content.entitlement)", try holdings.amount(of: key)
            )
            let known = seen.updateValue(balance, forKey: name) ?? balance
            return try Wallet.move(content, balance: known, isCounted: true, metadataBytes: 0)
        }
    }
}
