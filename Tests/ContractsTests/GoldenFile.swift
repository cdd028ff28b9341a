import Contracts
import Domain
import Foundation

/// One golden file and the way its type reads and writes it.
struct GoldenFile: Sendable, CustomStringConvertible {
    let name: String
    /// Most bytes of the message.
    let maximumBytes: Int
    /// Whether it travels on links, and may become a dead letter.
    let isSent: Bool
    /// Decodes a message and encodes it again.
    let roundTrip: @Sendable (Data) throws -> Data
    /// The same through the decoder of the plain form; nil when that refuses.
    let plainRoundTrip: @Sendable (Data) throws -> Data?
    /// The same through the direct reader, and the general encoder; nil when the reader refuses.
    let directRead: @Sendable (Data) throws -> Data?
    /// The same through Foundation's decoder, and the direct writer; nil when the writer refuses.
    let directWrite: @Sendable (Data) throws -> Data?
    /// The same through Foundation's decoder, and the general encoder.
    let generalWrite: @Sendable (Data) throws -> Data
    /// The message's data.
    let value: @Sendable (Data) throws -> Any

    var description: String { name }

    /// The message in an event, as one service sends it to another.
    static func event<Body: Contract>(_ body: Body.Type) -> GoldenFile {
        GoldenFile(
            name: Body.type.rawValue,
            maximumBytes: Body.self is any RequestContract.Type ? Limits.requestBytes : Body.maximumBytes,
            isSent: !(Body.self is any RequestContract.Type),
            roundTrip: { try sent(received(body, $0)) },
            plainRoundTrip: { text in
                let event = EventDecoder().plain(ReceivedEvent<Body>.self, from: Array(text))?.event
                return try event.map { try sent($0) }
            },
            directRead: { text in
                let event = EventDecoder().event(from: Array(text)) { envelope, json in
                    envelope.type == Body.type.rawValue ? Event<Body>(envelope, from: &json) : nil
                }
                return try event.map { Data(try EventEncoder().general($0)) }
            },
            directWrite: { text in
                let event = try received(body, text)
                return EventEncoder().direct(event.data) == nil ? nil : try sent(event)
            },
            generalWrite: { Data(try EventEncoder().general(received(body, $0))) },
            value: { try received(body, $0).data }
        )
    }

    /// What comes back for a request.
    static func reply<Reply: Codable & SendableMetatype>(_ reply: Reply.Type) -> GoldenFile {
        GoldenFile(
            name: "\(Reply.self)",
            maximumBytes: Limits.requestBytes,
            isSent: false,
            roundTrip: { try sent(JSONDecoder().decode(reply, from: $0)) },
            plainRoundTrip: { try EventDecoder().plain(reply, from: Array($0)).map { try sent($0) } },
            directRead: { text in
                let value = Array(text).withUnsafeBufferPointer { EventDecoder.direct(reply, from: $0) }
                return try value.map { Data(try EventEncoder().general($0)) }
            },
            directWrite: { text in
                let value = try JSONDecoder().decode(reply, from: text) as? any DirectlyCoded
                return value.flatMap { EventEncoder().direct($0).map { Data($0) } }
            },
            generalWrite: { Data(try EventEncoder().general(JSONDecoder().decode(reply, from: $0))) },
            value: { try JSONDecoder().decode(reply, from: $0) }
        )
    }

    private static func received<Body: Contract>(_ body: Body.Type, _ text: Data) throws -> Event<Body> {
        try JSONDecoder().decode(ReceivedEvent<Body>.self, from: text).event
    }

    /// The bytes of an event as it is sent.
    private static func sent(_ event: Event<some Contract>) throws -> Data {
        Data(try EventCoder.encoder().encode(event))
    }

    /// The bytes of a reply as it is sent.
    private static func sent(_ value: some Encodable) throws -> Data {
        Data(try EventCoder.encoder().encode(value))
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    /// The message exactly as it is sent: the file's bytes without the line feed at its end.
    func contents() throws -> Data {
        let bytes = try Data(contentsOf: Self.folder.appending(path: name + ".json"))
        return bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
    }

    /// Those that a purchase is made of: they have a direct form.
    static let direct: Set<String> = [
        "counterfoil.claim.held.v1", "counterfoil.claim.proposed.v1", "counterfoil.entitlement.changed.v1",
        "counterfoil.entitlements.get.v1", "counterfoil.evidence.completed.v1",
        "counterfoil.purchase.reported.v1", "counterfoil.grant.recorded.v1",
        "counterfoil.order.get.v1", "counterfoil.order.issue.v1", "counterfoil.receipt.accepted.v1",
        "counterfoil.receipt.finished.v1", "counterfoil.receipt.submit.v1",
        "counterfoil.transaction.verified.v1", "counterfoil.verdict.wait.v1", "EntitlementsV1", "OrderV1",
        "ReceiptSubmittedV1", "ReceiptVerdictV1", "counterfoil.subscriptions.get.v1", "SubscriptionsV1",
    ]

    static let all: [GoldenFile] = [
        .event(ClaimHeldV1.self), .event(ClaimRedrivenV1.self), .event(ClaimProposedV1.self),
        .event(ClaimRefusedV1.self), .event(ClaimLookupV1.self),
        .event(ClaimChallengedV1.self), .event(ChallengeAnsweredV1.self), .event(ClaimMovedV1.self),
        .event(OrderReleasedV1.self), .event(EvidenceCompletedV1.self), .event(ClaimReassignV1.self),
        .event(ActsListV1.self), .reply(Act.self), .event(OperatorCountV1.self), .reply(OperatorCount.self),
        .event(AppleOrderReserveV1.self), .reply(AppleOrderReserved.self),
        .event(CompensationProposeV1.self), .event(CompensationDecideV1.self), .reply(CompensationV1.self),
        .event(ReassignmentProposeV1.self), .event(ReassignmentConfirmV1.self),
        .event(ReassignmentWithdrawV1.self), .reply(ReassignmentProposalV1.self),
        .event(GivenAmountsGetV1.self), .reply(GivenAmounts.self),
        .reply(ReassignmentV1.self), .event(NameClaimedV1.self), .event(NameHeldV1.self),
        .event(PreviousChainAskedV1.self), .event(PreviousChainAnsweredV1.self),
        .event(EntitlementChangedV1.self), .event(EntitlementsGetV1.self), .event(PurchaseReportedV1.self),
        .event(GrantRecordedV1.self), .event(LedgerGetV1.self), .event(OrderCloseV1.self),
        .event(ServerNotificationDeliverV1.self), .reply(ServerNotificationDeliveredV1.self),
        .event(OrderLogV1.self), .reply(StepLogEntry.self),
        .event(OrderReportV1.self), .event(OrdersListV1.self), .reply(OrdersV1.self),
        .event(OrderGetV1.self), .event(OrdersFindV1.self), .event(OrderIssueV1.self),
        .event(ReceiptAcceptedV1.self),
        .event(ReceiptExpiredV1.self), .event(ReceiptPurgedV1.self), .event(ReceiptFinishedV1.self),
        .event(ReceiptRetryV1.self), .event(ReceiptSubmitV1.self), .event(TokenRegisterV1.self),
        .event(ClaimConflictedV1.self), .event(TransactionUpdatedV1.self),
        .event(TransactionVerifiedV1.self), .event(VerdictWaitV1.self),
        .reply(EntitlementsV1.self), .reply(LedgerV1.self), .reply(OrderV1.self),
        .reply(ReceiptSubmittedV1.self), .reply(ReceiptVerdictV1.self),
        .reply(TokenRegisteredV1.self),
        .event(DeadLetterDiscardV1.self), .event(DeadLetterGetV1.self), .event(DeadLetterRetryV1.self),
        .event(DeadLettersListV1.self), .event(LinkResumeV1.self), .event(LinksListV1.self),
        .event(StoreCopyV1.self), .reply(StoreCopy.self),
        .event(DelayedEventDeadLetterV1.self), .event(DelayedEventReleaseV1.self),
        .event(DelayedEventsListV1.self),
        .reply(DelayedEvent.self),
        .event(PartitionStatusV1.self), .event(TraceV1.self),
        .reply(DeadLetter.self), .reply(LinkStatus.self),
        .reply(PartitionStatus.self),
        .reply(Trace.self),
        .event(FactsFindV1.self), .reply(FoundFacts.self), .event(DeskListV1.self), .reply(DeskPage.self),
        .event(AppleOrderAskV1.self), .reply(AppleOrderV1.self),
        .event(AppleOrderWantedV1.self), .event(AppleOrderNamedV1.self),
        .event(CompensationChangedV1.self), .event(CompensationKeptV1.self),
        .event(GrantRetryV1.self), .reply(RetryPage.self),
        .event(ReconciliationStartV1.self), .event(ReconciliationGetV1.self), .event(TransactionFoundV1.self),
        .event(ClaimsGetV1.self), .event(ServerNotificationHintV1.self),
        .event(ServerNotificationRecoveredV1.self), .event(PaymentLookupV1.self),
        .event(LedgerAuditV1.self), .reply(LedgerAuditPage.self),
        .event(PurchasesAuditV1.self), .reply(PurchasesAuditPage.self),
        .event(NamesAuditV1.self), .reply(NamesAuditPage.self),
        .event(WebhooksListenV1.self), .reply(WebhooksPage.self),
        .event(WalletMoveV1.self), .event(SpendReverseV1.self),
        .reply(WalletEntryV1.self),
        .event(HoldingChangedV1.self),
        .event(TransferRequestedV1.self), .event(TransferAnsweredV1.self),
        .event(ConsentSetV1.self), .reply(ConsentV1.self), .event(ConsumptionRequestedV1.self),
        .event(ConsumptionReportedV1.self), .event(ConsentLookupV1.self), .event(ConsentRescindedV1.self),
        .event(ExternalPurchaseNotifiedV1.self),
        .event(SubscriptionUpdatedV1.self), .event(SubscriptionsGetV1.self), .reply(SubscriptionsV1.self),
        .reply(ReconciliationV1.self), .reply(ClaimsV1.self), .reply(ServerNotificationHintedV1.self),
    ]
}

/// An event as it arrives, when its type is known.
private struct ReceivedEvent<Body: Contract>: Decodable {
    let event: Event<Body>

    init(from decoder: any Decoder) throws {
        event = try Event<Body>(from: decoder.container(keyedBy: EventKeys.self))
    }
}
