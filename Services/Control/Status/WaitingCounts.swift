import Contracts

/// What waits for an operator, and for the apps' own servers, by the metrics of the partitions that answered.
struct WaitingCounts: Encodable, Equatable {
    /// Parked.
    let submissions: Int
    /// Parked.
    let serverNotifications: Int
    /// Parked.
    let grants: Int
    /// Purchases that are nobody's.
    let orphans: Int
    /// Purchases to which another buyer than the holder has better evidence.
    let contested: Int
    /// Compensations that stand though their purchase is another buyer's, or nobody's.
    let contestedCompensations: Int
    /// Those that no server has accepted yet.
    let webhooks: Int
    /// The age of the oldest of these, s; 0 where there is none.
    let oldestWebhookSeconds: Int

    init(_ statuses: [PartitionStatus]) {
        func values(_ name: String) -> [Double] { statuses.compactMap { $0.gauges[name] } }
        func sum(_ name: String) -> Int { Int(values(name).reduce(0, +)) }
        submissions = sum("counterfoil_receipts_parked")
        serverNotifications = sum("counterfoil_server_notifications_parked")
        grants = sum("counterfoil_grants_parked")
        orphans = sum("counterfoil_transactions_orphaned")
        contested = sum("counterfoil_transactions_contested")
        contestedCompensations = sum("counterfoil_compensations_contested")
        webhooks = sum("counterfoil_webhooks_undelivered")
        oldestWebhookSeconds = Int(values("counterfoil_webhooks_undelivered_oldest_seconds").max() ?? 0)
    }

    /// A line for the operator and one for the servers, each only where something waits.
    var lines: [String] {
        let parked = [
            (submissions, "submission"), (serverNotifications, "server notification"), (grants, "grant"),
            (orphans, "orphan"), (contested, "contested purchase"),
            (contestedCompensations, "contested compensation"),
        ]
        let counts = parked.filter { $0.0 > 0 }.map { $0.0.counted($0.1) }.joined(separator: ", ")
        let commands =
            (submissions + serverNotifications + grants > 0 ? ["parked", "retry"] : [])
            + (orphans > 0 ? ["orphans", "assign"] : [])
            + (contested + contestedCompensations > 0 ? ["held"] : [])
            + (contested > 0 ? ["reassign"] : []) + (contestedCompensations > 0 ? ["reverse"] : [])
        let advice = "see " + commands.map { "`counterfoil \($0)`" }.joined(separator: ", ")
        let undelivered = "\(webhooks.counted("webhook")), the oldest for \(oldestWebhookSeconds) s"
        return (counts.isEmpty ? [] : ["WAITING for an operator: \(counts); \(advice)"])
            + (webhooks == 0 ? [] : ["UNDELIVERED: \(undelivered); does your server answer 2xx?"])
    }
}
