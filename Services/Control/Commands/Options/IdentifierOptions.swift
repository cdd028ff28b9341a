import ArgumentParser
import Contracts
import Program

extension TextIdentifier where Self: ExpressibleByArgument {
    init?(argument: String) { self.init(rawValue: argument) }
}

extension BundleID: ExpressibleByArgument {}
extension BuyerID: ExpressibleByArgument {}
extension EventID: ExpressibleByArgument {}
extension ProductID: ExpressibleByArgument {}
extension PurchaseID: ExpressibleByArgument {}
extension ReceiptID: ExpressibleByArgument {}
extension ListenAddress: ExpressibleByArgument {}
extension PartitionAddress: LosslessStringConvertible, ExpressibleByArgument {}
