import ArgumentParser
import Contracts

extension TextIdentifier where Self: ExpressibleByArgument {
    init?(argument: String) { self.init(rawValue: argument) }
}

extension BundleID: ExpressibleByArgument {}
extension BuyerID: ExpressibleByArgument {}
extension EventID: ExpressibleByArgument {}
extension ProductID: ExpressibleByArgument {}
extension ReceiptID: ExpressibleByArgument {}
