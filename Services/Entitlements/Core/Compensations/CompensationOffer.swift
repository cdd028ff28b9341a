import Contracts
import Domain

/// What the catalog gives for a compensation.
///
/// Tested by: `CompensationTests`.
///
/// | the catalog says of the product      | it gives                                         |
/// |--------------------------------------|--------------------------------------------------|
/// | an amount, or a possession           | the same as a purchase                           |
/// | a subscription                       | refused: access follows what Apple signs         |
/// | what is bought once, and more of it  | refused: `ownedOnce`, the quantity               |
/// | not known, retired, not so many      | refused, for the reason a purchase is parked for |
/// | what is owned already is parked      | refused: `alreadyOwned`                          |
enum CompensationOffer {
    /// The type of a product whose goods can be given now.
    ///
    /// - Throws: `RequestRefusal` that names the product, or the quantity.
    static func type(
        of compensation: Compensation,
        _ offer: Catalog.Lookup,
        owned: Set<String>,
        at now: Timestamp
    ) throws(RequestRefusal) -> Catalog.ProductType {
        guard let type = offer.terms?.type else { throw .notGrantable(ParkReason.unknownProduct.rawValue) }
        guard type != .autoRenewable else { throw .notGrantable("subscription") }
        guard type == .consumable || compensation.content.quantity == 1 else { throw .ownedOnce }
        switch Obligation(compensation.facts(type, at: now), offer: offer, owned: owned) {
        case .owed: return type
        case .withheld(let reason): throw .notGrantable(reason.rawValue)
        case .refunded: throw .notGrantable("refunded")
        }
    }
}
