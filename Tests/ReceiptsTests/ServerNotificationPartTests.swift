import AppStoreSigning
import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a part of a notification` {
    private static let token = "b2158121-7af9-49d4-9561-1f588205523e"
    private static let tokenPart = "externalPurchaseToken"
    let group = ReceiptsGroup()
    private let signer: AppStoreSigner

    init() throws { signer = try AppStoreSigner() }

    /// Lets Apple deliver a notification of one part, signed and read as Apple's are.
    private func deliver(
        _ type: String,
        subtype: String = "CREATED",
        _ part: String,
        _ members: String,
        app: BundleID = Sample.app
    ) throws -> (outcome: RequestOutcome<ServerNotificationDeliveredV1>, sent: [OutgoingEvent]) {
        let json = """
            {"notificationType":"\(type)","subtype":"\(subtype)","notificationUUID":"uuid-1","version":"2.0",\
            "signedDate":\(Sample.start.milliseconds),"\(part)":{"bundleId":"\(app)",\(members)}}
            """
        let verifiers = AppleVerifiers(extraRoots: [signer.rootDER])
        let reader = AppStoreServerNotificationReader(verifier: verifiers.notifications)
        let jws = try signer.sign(payload: Array(json.utf8))
        group.notificationReader.contents["n"] = .success(try reader.notification(in: jws, now: Sample.start))
        return try group.deliver("uuid-1", "n")
    }

    private func stored() throws -> [[Value]] {
        try group.rows("SELECT state, reason FROM server_notification", partition: 0)
    }

    @Test func `that nobody knows is kept and alarmed, and Apple is answered`() throws {
        let (outcome, sent) = try deliver("UNCLAIM_SEATS", "unclaimInfo", #""unclaimSeatIds":["1"]"#)
        #expect(outcome.reply == ServerNotificationDeliveredV1(notificationUUID: "uuid-1", isRepeated: false))
        #expect(sent.isEmpty)
        #expect(try stored() == [["parked", .text(ServerNotificationAssessment.unknownPart)]])
        #expect(try group.gauges(0)["counterfoil_server_notifications_parked"] == 1)
    }

    @Test func `that is about an app which nobody configured is not kept, and asked for again`() throws {
        let (outcome, _) = try deliver("UNCLAIM_SEATS", "unclaimInfo", #""a":1"#, app: Sample.otherApp)
        #expect(outcome.refusal?.code == .busy)
        #expect(try stored().isEmpty)
    }

    @Test(arguments: ["CREATED", "UNREPORTED", "OF_TOMORROW"])
    func `that is the token of a purchase outside the App Store is told to the app's server`(
        subtype: String
    ) throws {
        let members = """
            "externalPurchaseId":"\(Self.token)","tokenType":"SERVICES","tokenCreationDate":1,\
            "tokenExpirationDate":2
            """
        let sent = try deliver("EXTERNAL_PURCHASE_TOKEN", subtype: subtype, Self.tokenPart, members).sent
        let expected = ExternalPurchaseNotifiedV1(
            bundleId: Sample.app,
            environment: .production,
            notificationUUID: "uuid-1",
            notifiedAt: Sample.start,
            subtype: subtype,
            externalPurchaseId: Self.token,
            tokenType: "SERVICES",
            tokenCreationDate: Timestamp(milliseconds: 1),
            tokenExpirationDate: Timestamp(milliseconds: 2)
        )
        #expect(try sent.bodies(ExternalPurchaseNotifiedV1.self) == [expected])
        let home = PartitionKey.externalPurchase(Self.token, of: Sample.app)
            .address(in: .notifications, of: ReceiptsGroup.partitions)
        #expect(sent.map(\.to) == [home])
        #expect(try group.deliver("uuid-1", "n").sent.isEmpty, "delivered again it is known")
        for partition in 0..<ReceiptsGroup.partitions {
            let again = try group.redrive(from: 0, to: .notifications, partition).sent
            #expect(again.map(\.id) == (partition == home.partition ? sent.map(\.id) : []))
        }
    }

    @Test(arguments: [
        (#""tokenCreationDate":1"#, "unreadable"), (#""externalPurchaseId":"""#, "unreadable"),
        (#""externalPurchaseId":"SANDBOX_1""#, "wrongEnvironment"),
    ])
    func `that is no token, or of an environment which the app does not accept, is parked`(
        members: String,
        reason: String
    ) throws {
        group.policies[Sample.app] = AppPolicy(environments: [.production], sandbox: .separate)
        #expect(try deliver("EXTERNAL_PURCHASE_TOKEN", Self.tokenPart, members).sent.isEmpty)
        #expect(try stored() == [["parked", .text(reason)]])
    }
}
