package import Contracts

/// What records say instead of a buyer's id: the same for the same buyer of an app, and no id.
package enum Pseudonym {
    private static let digits = 16

    /// `p` + 16 hex digits.
    package static func of(_ buyer: BuyerID, in bundle: BundleID) -> String {
        "p" + DerivedID.hexadecimal(["pseudonym", bundle.rawValue, buyer.rawValue]).prefix(digits)
    }
}
