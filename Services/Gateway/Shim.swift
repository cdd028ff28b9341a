import Contracts
import Delivery

struct PartitionKey { var shard: Shard; var subject: String
    func address(in service: ServiceName, of count: Int) -> PartitionAddress { PartitionAddress(service, shard.partition(of: count)) } }
protocol Partitioned { var partitionKey: PartitionKey? { get } }
extension Partitioned where Self: Sharded {
    func key(_ subject: String) -> PartitionKey? { shard.map { PartitionKey(shard: $0, subject: subject) } }
}
extension OrderIssueV1: Partitioned { var partitionKey: PartitionKey? { key("\(bundleId)/\(buyerId)") } }
extension ReceiptSubmitV1: Partitioned { var partitionKey: PartitionKey? { key("\(bundleId)/\(buyerId)") } }
extension EntitlementsGetV1: Partitioned { var partitionKey: PartitionKey? { key("\(bundleId)/\(buyerId)") } }
extension LedgerGetV1: Partitioned { var partitionKey: PartitionKey? { key("\(bundleId)/\(buyerId)") } }
extension OrderGetV1: Partitioned { var partitionKey: PartitionKey? { key("\(orderId!)") } }
extension OrderCloseV1: Partitioned { var partitionKey: PartitionKey? { key("\(orderId)") } }
extension VerdictWaitV1: Partitioned { var partitionKey: PartitionKey? { key("\(receiptId)") } }
extension NotificationDeliverV1: Partitioned { var partitionKey: PartitionKey? { key("notification/\(identifier)") } }
extension NotificationHintV1: Partitioned { var partitionKey: PartitionKey? { key("\(bundleId)/\(originalTransactionId)") } }
