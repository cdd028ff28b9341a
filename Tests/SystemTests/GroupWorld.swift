import Contracts
import Domain
import Foundation
import Program

@testable import Receipts

/// The apps, products and configuration of a simulated group.
enum GroupWorld {
    static let partitions = 2
    static let transactionsPerPart = 2
    static let app = BundleID(unchecked: "com.example.game")
    static let otherApp = BundleID(unchecked: "com.example.other")
    /// When a simulated run begins, in ms since 1970.
    static let runStart: Int64 = 1_760_086_400_000
    /// When the first purchase was made, in ms since 1970.
    ///
    /// Within the time by which Apple's clock may be behind: nobody buys before there is an order.
    static let start = runStart - 10_000

    static func addresses(of service: ServiceName) -> [PartitionAddress] {
        (0..<partitions).map { PartitionAddress(service, $0) }
    }

    static func configuration() -> Configuration {
        let keys = [Configuration.Key(id: "key", secret: "a-secret-of-sixteen")]
        var game = Configuration.App(bundleId: app, keys: keys)
        game.webhook = Configuration.Webhook(url: "https://game.example.com", secret: "a-secret-of-sixteen")
        var configuration = Configuration(apps: [game])
        configuration.partitions = partitions
        return configuration
    }

    /// The sandbox yields goods to one buyer only, as an app under review would have it.
    static func policies(tester: BuyerID, _ apis: Set<AppleAPI>) -> [BundleID: AppPolicy] {
        [
            app: AppPolicy(
                environments: [.production, .sandbox],
                sandbox: .grantTo([tester]),
                apis: apis
            )
        ]
    }
}

enum GroupProduct: String, CaseIterable {
    case coins, dear, sword, chest
    /// Retired; only a later catalog says what it yields.
    case retired
    /// Only a later catalog knows it.
    case novelty
    /// No catalog ever knows it.
    case unheard
    /// Taken back no further than to zero.
    case chips
    /// A subscription, and the dearer one of its group.
    case club, palace
    /// Subscriptions that nothing else of a run gives, so that it is known when they end.
    case pass, season, trial
    /// What another login gets by restoring it; the last is a subscription.
    case castle, manor, guild
    /// A subscription that nothing else of a run gives.
    case patron
    /// A pass for a day.
    case days
    /// Who owns it already gets coins instead.
    case hero

    var id: ProductID { ProductID(unchecked: "com.example.\(rawValue)") }

    var type: String {
        switch self {
        case .coins, .dear, .chest, .retired, .novelty, .unheard, .chips: "Consumable"
        case .days: ProductType.nonRenewing
        case .sword, .castle, .manor, .hero: ProductType.nonConsumable
        case .club, .palace, .pass, .season, .trial, .guild, .patron: ProductType.autoRenewable
        }
    }

    /// Whether a restore by another login moves it.
    var isTransferable: Bool { self == .castle || self == .manor || self == .guild }

    /// What one unit yields; nil when a catalog does not say.
    func goods(laterCatalog: Bool) -> [Catalog.Grant]? {
        switch self {
        case .coins: [Catalog.Grant(entitlement: "coins", amount: 100)]
        case .dear: [Catalog.Grant(entitlement: "coins", amount: 100_000)]
        case .sword: [Catalog.Grant(entitlement: "sword")]
        case .chest: [Catalog.Grant(entitlement: "coins", amount: 7), Catalog.Grant(entitlement: "key")]
        case .retired: laterCatalog ? [Catalog.Grant(entitlement: "coins", amount: 31)] : nil
        case .novelty: laterCatalog ? [Catalog.Grant(entitlement: "gems", amount: 3)] : nil
        case .chips: [Catalog.Grant(entitlement: Self.floored, amount: 60)]
        case .club: [Catalog.Grant(entitlement: "club")]
        case .palace:
            [
                Catalog.Grant(entitlement: "club"), Catalog.Grant(entitlement: "lounge"),
                Catalog.Grant(entitlement: "coins", amount: 50),
            ]
        case .pass, .season, .trial, .patron: [Catalog.Grant(entitlement: rawValue)]
        case .days: [Catalog.Grant(entitlement: "days", durationDays: 1)]
        case .castle: [Catalog.Grant(entitlement: "castle"), Catalog.Grant(entitlement: "coins", amount: 9)]
        case .manor: [Catalog.Grant(entitlement: "manor")]
        case .guild: [Catalog.Grant(entitlement: "guild"), Catalog.Grant(entitlement: "coins", amount: 4)]
        case .hero: [Catalog.Grant(entitlement: "hero")]
        case .unheard: nil
        }
    }

    /// What a hero yields to who has one.
    static let instead = [Catalog.Grant(entitlement: "coins", amount: 20)]

    /// The amount whose balance never falls below zero.
    static let floored = "chips"

    /// `givesOwned` is a catalog's that gives twice what is owned once.
    static func catalog(later: Bool, givesOwned: Bool = false) -> Catalog {
        Catalog(
            products: allCases.compactMap { $0.entry(later: later, givesOwned) },
            entitlements: [floored: Catalog.EntitlementRules(balance: .floor)]
        )
    }

    private func entry(later: Bool, _ givesOwned: Bool) -> Catalog.Product? {
        guard self != .unheard, self != .novelty || later else { return nil }
        let goods = goods(laterCatalog: later) ?? []
        var entry = Catalog.Product(productId: id, type: .consumable, grants: goods)
        if type == ProductType.nonConsumable { entry.type = .nonConsumable }
        if type == ProductType.autoRenewable { entry.type = .autoRenewable }
        if type == ProductType.nonRenewing { entry.type = .nonRenewing }
        if isTransferable { entry.onOtherLogin = .transfer }
        if self == .hero, !givesOwned { entry.whenOwned = .compensation(Self.instead) }
        if self == .retired {
            entry.grants = [Catalog.Grant(entitlement: "relic", amount: 1)]
            entry.retired = later ? .compensation(goods) : .undecided
        }
        return entry
    }
}

/// Reads the proofs of a simulated group: the JSON of the transactions, which nobody signed.
struct GroupProofReader: ProofReader {
    static let forged = "forged"
    static let untrusted = "untrusted"
    /// How an app receipt ends, which does not say whose a purchase is.
    static let bare = "\t"
    /// How a copy of an old proof ends; Apple has just signed all others.
    static let stale = "\n"

    var variant = GroupVariant.faithful

    func contents(of proof: Proof, now: Timestamp) throws(ProofFailure) -> ProofContents {
        if proof.kind.isAsked { throw .unverified }
        if proof.text.hasPrefix(Self.forged) { throw .badSignature }
        if proof.text.hasPrefix(Self.untrusted) { throw .untrusted }
        do {
            let transactions = try JSONDecoder().decode([SignedTransaction].self, from: Data(proof.text.utf8))
            let isOld = proof.text.hasSuffix(Self.stale) && variant != .takesStaleProofs
            return ProofContents(
                transactions: transactions.map {
                    $0.asRead(variant, isBare: proof.text.hasSuffix(Self.bare))
                },
                signedAt: isOld ? nil : now
            )
        } catch {
            throw .malformed
        }
    }
}

extension ProofKind {
    /// Whether only Apple can say what it is worth.
    var isAsked: Bool { self == .transactionReceipt || self == .transactionId }
}

extension SignedTransaction {
    /// What a reader makes of it; without its original id, a restored purchase is one of its own.
    func asRead(_ variant: GroupVariant, isBare: Bool = false) -> SignedTransaction {
        var read = self
        if isBare {
            (read.inAppOwnershipType, read.appAccountToken, read.transactionReason) = (nil, nil, nil)
        }
        if variant == .ignoresFamilies, read.inAppOwnershipType == Ownership.familyShared {
            read.inAppOwnershipType = "PURCHASED"
        }
        if variant == .trustsAssigned, read.inAppOwnershipType == Ownership.assigned {
            read.inAppOwnershipType = Ownership.purchased
        }
        if variant == .keysOnTransactionID { read.originalTransactionId = transactionId }
        if variant == .ignoresLineItems { read.webOrderLineItemId = nil }
        if variant == .ignoresReplaced { read.previousOriginalTransactionId = nil }
        if variant == .trustsLineItems { read.additionalTransactionReason = nil }
        if variant == .ignoresTokens { read.appAccountToken = nil }
        if variant == .prefersTokens, transactionReason != nil { read.transactionReason = "PURCHASE" }
        return read
    }
}

/// What Apple says about a transaction in one signature.
struct GroupFacts: Hashable {
    /// When it was signed, in ms after the purchase.
    var signed: Int64
    /// How much was paid back, in milliunits of a percent.
    var refunded: Int
    /// Whether a period gave way to one of another product.
    var isUpgraded = false
    /// Whether Apple states the period in another chain.
    var isElsewhere = false

    static let purchase = GroupFacts(signed: 0, refunded: 0)
    /// The same purchase signed again, before any refund.
    static let again = GroupFacts(signed: 1_000, refunded: 0)
    static let refund = GroupFacts(signed: 2_000, refunded: 100_000)
    static let partialRefund = GroupFacts(signed: 2_000, refunded: 33_333)
    static let refundReversed = GroupFacts(signed: 3_000, refunded: 0)
    /// A refund signed in the very millisecond of the purchase.
    static let refundAtOnce = GroupFacts(signed: 0, refunded: 100_000)
}

/// Whom the app's token names.
enum GroupToken: Hashable {
    case none
    /// The order with this number among the orders of the run.
    case order(Int)
    /// A UUID of the app's own, registered for a buyer or for nobody.
    case own(UUID, BuyerID?)
    /// No UUID at all.
    case garbage(String)
}

struct GroupTransaction {
    let number: Int
    let product: GroupProduct
    let token: GroupToken
    /// The number of the transaction that this one restores: both are one purchase.
    var restores: Int?
    /// The number of the transaction to whose period this one adds seats: it is a purchase of its own.
    var adds: Int?
    /// The number of the transaction of whose seats this one is a member's copy: it is a purchase of its own.
    var assigns: Int?
    /// The number of the transaction with which the subscription began that this one's replaces.
    var replaces: Int?
    /// Whether Apple states it in another chain than what it restores, or of what it is a copy.
    var isElsewhere = false
    /// Whether a family member bought it.
    var isShared = false
    var bundle = GroupWorld.app
    var environment = Environment.production
    var quantity = 1
    /// Of a subscription.
    var period: GroupPeriod?
    /// Who has placed an order for it that its phone names; nobody else has handed it in.
    var placedBy: BuyerID?
    /// When it was bought, in ms of the run, if that matters.
    var bought: Int64?

    var id: TransactionID { TransactionID(unchecked: "2000\(number)") }
    /// What is bought once is its own original, until it is restored.
    var original: TransactionID {
        if let period { return TransactionID(unchecked: "2000\(period.chain)") }
        return TransactionID(
            unchecked: product.type == ProductType.nonConsumable ? "2000\(payment)" : "1000\(payment)"
        )
    }
    /// What Apple calls it, whatever else the purchase is called.
    var name: GroupKey { GroupKey(environment: environment, bundle: bundle, id: PurchaseID(id)) }
    var key: GroupKey { GroupKey(environment: environment, bundle: bundle, id: purchase) }
    var purchase: PurchaseID {
        let chain = period?.hasLineItem == true && adds == nil && assigns == nil ? "\(original):" : ""
        return PurchaseID(unchecked: "\(chain)2000\(payment)")
    }
    /// The number of the transaction for which money was paid.
    private var payment: Int { restores ?? number }

    /// The chain in which Apple states it.
    func chain(_ facts: GroupFacts) -> TransactionID {
        isElsewhere || facts.isElsewhere ? original.elsewhere : original
    }

    /// What Apple signs; `token` is the text that the app gave to StoreKit.
    func signed(_ facts: GroupFacts, token: String?) -> SignedTransaction {
        let purchase =
            (period?.begins ?? bought).map { GroupWorld.runStart + $0 }
            ?? GroupWorld.start + Int64(payment) * 10
        var signed = SignedTransaction(
            transactionId: id.rawValue,
            originalTransactionId: chain(facts).rawValue,
            bundleId: bundle.rawValue,
            productId: product.id.rawValue,
            purchaseDate: purchase,
            quantity: quantity,
            type: product.type,
            environment: environment.rawValue,
            signedDate: purchase + facts.signed
        )
        signed.inAppOwnershipType = isShared ? Ownership.familyShared : Ownership.purchased
        if assigns != nil { signed.inAppOwnershipType = Ownership.assigned }
        signed.appAccountToken = token
        if let period { signed.note(period, lineItem: "2000\(adds ?? assigns ?? payment)") }
        if adds != nil { signed.additionalTransactionReason = "SEAT_ADDITION" }
        signed.previousOriginalTransactionId = replaces.map { "2000\($0)" }
        if facts.isUpgraded { signed.isUpgraded = true }
        guard facts.refunded > 0 else { return signed }
        signed.revocationDate = purchase + facts.signed
        signed.revocationType = facts.refunded == 100_000 ? "REFUND_FULL" : "REFUND_PRORATED"
        if facts.refunded < 100_000 { signed.revocationPercentage = facts.refunded }
        return signed
    }
}

struct GroupKey: Hashable, Comparable, CustomStringConvertible {
    let environment: Environment
    let bundle: BundleID
    let id: PurchaseID

    /// The transaction of that name.
    var transaction: TransactionID { TransactionID(unchecked: id.rawValue) }
    var description: String { "\(environment)/\(bundle)/\(id)" }

    static func < (left: GroupKey, right: GroupKey) -> Bool { left.description < right.description }
}
