import Contracts
import Foundation

/// One golden file and the way its type reads and writes it.
struct GoldenFile: Sendable, CustomStringConvertible {
    let name: String
    /// Decodes a message and encodes it again.
    let roundTrip: @Sendable (Data) throws -> Data
    /// The same through the decoder of the plain form; nil when that refuses.
    let plainRoundTrip: @Sendable (Data) throws -> Data?

    var description: String { name }

    /// The message in an event, as one service sends it to another.
    static func event<Body: Contract>(_ body: Body.Type) -> GoldenFile {
        made(Body.type.rawValue, ReceivedEvent<Body>.self) { try sent($0.event) }
    }

    /// What comes back for a request.
    static func reply<Reply: Codable & SendableMetatype>(_ reply: Reply.Type) -> GoldenFile {
        made("\(Reply.self)", reply) { try sent($0) }
    }

    private static func made<Value: Decodable & SendableMetatype>(
        _ name: String,
        _ type: Value.Type,
        _ sent: @escaping @Sendable (Value) throws -> Data
    ) -> GoldenFile {
        GoldenFile(
            name: name,
            roundTrip: { try sent(JSONDecoder().decode(type, from: $0)) },
            plainRoundTrip: { try EventDecoder().plain(type, from: Array($0)).map(sent) }
        )
    }

    /// The bytes of a message as it is sent.
    private static func sent(_ value: some Encodable) throws -> Data {
        Data(try EventCoder.encoder().encode(value))
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    /// The message exactly as it is sent: the file's bytes without the line feed at its end.
    func contents() throws -> Data {
        let bytes = try Data(contentsOf: Self.folder.appending(path: name + ".json"))
        return bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
    }

    static let all: [GoldenFile] = [
        .event(ClaimHeldV1.self), .event(ClaimRedrivenV1.self), .event(ClaimProposedV1.self),
        .event(ClaimRefusedV1.self), .event(ClaimLookupV1.self),
        .event(EntitlementChangedV1.self), .event(EntitlementsGetV1.self), .event(GrantRequestedV1.self),
        .event(GrantSettledV1.self), .event(LedgerGetV1.self), .event(OrderCloseV1.self),
        .event(NotificationDeliverV1.self), .reply(NotificationDeliveredV1.self),
        .event(OrderGetV1.self), .event(OrderIssueV1.self), .event(ReceiptAcceptedV1.self),
        .event(ReceiptExpiredV1.self), .event(ReceiptPurgedV1.self), .event(ReceiptSettledV1.self),
        .event(ReceiptRetryV1.self), .event(ReceiptSubmitV1.self), .event(TokenRegisterV1.self),
        .event(ClaimConflictedV1.self), .event(TransactionUpdatedV1.self),
        .event(TransactionVerifiedV1.self), .event(VerdictWaitV1.self),
        .reply(EntitlementsV1.self), .reply(LedgerV1.self), .reply(OrderV1.self),
        .reply(ReceiptSubmittedV1.self), .reply(ReceiptVerdictV1.self),
        .reply(TokenRegisteredV1.self),
        .event(DeadLetterDiscardV1.self), .event(DeadLetterGetV1.self), .event(DeadLetterRetryV1.self),
        .event(DeadLettersListV1.self), .event(LinkResumeV1.self), .event(LinksListV1.self),
        .event(HeldEventDeadLetterV1.self), .event(HeldEventReleaseV1.self), .event(HeldEventsListV1.self),
        .reply(HeldEvent.self),
        .event(PartitionStatusV1.self), .event(TraceV1.self),
        .reply(DeadLetter.self), .reply(LinkStatus.self),
        .reply(PartitionStatus.self),
        .reply(Trace.self),
        .event(GrantRetryV1.self), .reply(RetryPage.self),
        .event(ReconciliationStartV1.self), .event(ReconciliationGetV1.self), .event(TransactionFoundV1.self),
        .event(ClaimsGetV1.self), .event(NotificationHintV1.self),
        .event(NotificationRecoveredV1.self), .event(PaymentRecoveryV1.self),
        .reply(ReconciliationV1.self), .reply(ClaimsV1.self), .reply(NotificationHintedV1.self),
    ]
}

/// An event as it arrives, when its type is known.
private struct ReceivedEvent<Body: Contract>: Decodable {
    let event: Event<Body>

    init(from decoder: any Decoder) throws {
        event = try Event<Body>(from: decoder.container(keyedBy: EventKeys.self))
    }
}
