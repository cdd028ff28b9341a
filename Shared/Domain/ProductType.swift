import Contracts

/// The types of product as StoreKit 2 names them.
package enum ProductType {
    package static let consumable = "Consumable"
    package static let nonConsumable = "Non-Consumable"
    package static let nonRenewing = "Non-Renewing Subscription"
    package static let autoRenewable = "Auto-Renewable Subscription"
}
