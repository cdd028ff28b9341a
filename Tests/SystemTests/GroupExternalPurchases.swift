import Contracts
import Domain
import Foundation
import TestKit

/// The token of a purchase outside the App Store, of which Apple tells the group.
struct GroupExternalPurchase {
    let plan: Int
    let token: String
    /// When Apple tells of it, in ms after everything was made ready.
    let delay: Int64
    var isAcknowledged = false
}

extension GroupScriptWriter {
    /// Apple tells of one token once or more, each time anew.
    mutating func writeExternalPurchase() {
        let token = uuid(version: 4).uuidString.lowercased()
        for _ in 0...random.below(3) {
            let delay = random.within(Self.later)
            script.externalPurchases.append(
                GroupExternalPurchase(plan: script.plans, token: token, delay: delay)
            )
        }
    }
}

extension GroupSimulation {
    /// Apple delivers its notification, again until it is answered.
    func tell(ofExternalPurchase number: Int) {
        let notice = GroupServerNotification(
            notificationUUID: GroupServer.name(ofExternalPurchase: number),
            externalPurchaseId: script.externalPurchases[number].token
        )
        let deliver = ServerNotificationDeliverV1(
            identifier: notice.notificationUUID,
            signedPayload: String(decoding: bytes(notice), as: UTF8.self)
        )
        guard let owner = deliver.route.owner(of: GroupWorld.partitions) else { return }
        ask(deliver, of: owner) {
            $0.tell(ofExternalPurchase: number)
        } answered: { simulation, _ in
            simulation.script.externalPurchases[number].isAcknowledged = true
        }
    }
}

extension GroupServer {
    /// Apple's id of the notification.
    static func name(ofExternalPurchase number: Int) -> String { "external-\(number)" }
}

extension GroupChecker {
    /// The server has been told of every notification that Apple was answered.
    func checkExternalPurchases() {
        for (number, purchase) in simulation.script.externalPurchases.enumerated() {
            let name = GroupServer.name(ofExternalPurchase: number)
            if purchase.isAcknowledged, !simulation.server.externalPurchases.contains(name) {
                fail("the server was never told of \(name) with \(purchase.token)", .nothingLost)
            }
        }
    }
}
