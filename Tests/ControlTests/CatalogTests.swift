import Contracts
import Domain
import Foundation
import TestKit
import Testing

@testable import Program

@Suite struct `what catalog.json says` {
    private static func lookup(
        _ json: String,
        _ product: String,
        of bundle: BundleID = .game
    ) throws -> Catalog.Lookup {
        try Catalog(json: json).lookup(bundleID: bundle, productID: ProductID(unchecked: product))
    }

    /// A product that grants one thing, without its last brace.
    private static func product(_ id: String, _ type: String, _ grant: String) -> String {
        #"{"productId":"\#(id)","type":"\#(type)","grants":[\#(grant)]"#
    }

    private static let coins = product("coins", "consumable", #"{"entitlement":"c","amount":5}"#)

    @Test func `an active product grants what its entry says`() throws {
        let found = try Self.lookup(#"{"products":[\#(Self.coins)}]}"#, "coins")
        #expect(found == .active(type: .consumable, grants: [.init(entitlement: "c", amount: 5)]))
    }

    @Test func `a product that is not there is unknown`() throws {
        #expect(try Self.lookup(#"{"products":[]}"#, "coins") == .unknown)
    }

    @Test func `an app's own entry goes before one for every app, and is no other app's`() throws {
        let own =
            Self.product("coins", "nonConsumable", #"{"entitlement":"p"}"#)
            + #","bundleId":"\#(BundleID.game)"}"#
        let both = #"{"products":[\#(Self.coins)},\#(own)]}"#
        #expect(
            try Self.lookup(both, "coins") == .active(type: .nonConsumable, grants: [.init(entitlement: "p")])
        )
        let general = Catalog.Lookup.active(type: .consumable, grants: [.init(entitlement: "c", amount: 5)])
        #expect(try Self.lookup(both, "coins", of: .otherApp) == general)
        #expect(try Self.lookup(#"{"products":[\#(own)]}"#, "coins", of: .otherApp) == .unknown)
    }

    @Test
    func `a retired product yields its replacement's grants, its compensation, or waits for the operator`()
        throws
    {
        func retired(_ how: String) throws -> Catalog.Lookup {
            let old = Self.product("old", "consumable", #"{"entitlement":"o","amount":1}"#)
            return try Self.lookup(#"{"products":[\#(Self.coins)},\#(old),"retired":\#(how)}]}"#, "old")
        }
        let coins = [Catalog.Grant(entitlement: "c", amount: 5)]
        #expect(try retired(#"{"replacement":"coins"}"#) == .retired(type: .consumable, grants: coins))
        let compensation = #"{"compensation":[{"entitlement":"gems","amount":2}]}"#
        let gems = [Catalog.Grant(entitlement: "gems", amount: 2)]
        #expect(try retired(compensation) == .retired(type: .consumable, grants: gems))
        #expect(try retired("{}") == .retired(type: .consumable, grants: nil))
    }

    static let faults: [(String, String, String)] = [
        (#"{}"#, "products", "is missing"),
        (#"{"products":{}}"#, "products", "must be an array"),
        (#"{"products":[{}]}"#, "products[0].productId", "is missing"),
        (#"{"products":[\#(coins)},\#(coins)}]}"#, "products[1].productId", "a second time"),
        (#"{"products":[\#(coins)},\#(possessed)}]}"#, "products[1].grants", "counted in every product"),
        (#"{"products":[],"entitlements":{"c":{"balance":"zero"}}}"#, "entitlements.c.balance", "\"floor\""),
        (#"{"products":[],"entitlements":{"c":{"limit":1}}}"#, "entitlements.c.limit", "not a known member"),
        (
            #"{"products":[],"entitlements":{"cafe\u0301":{}}}"#, "entitlements.caf\u{E9}",
            "write \"caf\u{E9}\""
        ),
        (
            #"{"products":[{"productId":"p","type":"nonConsumable","grants":[{"entitlement":"e\u0301"}]}]}"#,
            "products[0].grants[0].entitlement", "NFC"
        ),
        (#"{"products":[],"entitlements":{"":{}}}"#, "entitlements.", "1 to 128 bytes"),
        (#"{"products":[\#(possessed)}],"entitlements":{"c":{}}}"#, "entitlements.c", "has no balance"),
    ]

    private static let possessed = product("p", "nonConsumable", #"{"entitlement":"c"}"#)
    private static let month = product("m", "autoRenewable", #"{"entitlement":"m"}"#)
    private static let pass = product("pass", "nonRenewing", #"{"entitlement":"p","durationDays":30}"#)
    private static let lasting = #"{"entitlement":"c","durationDays":1}"#

    /// A product without its last brace, the member that is named, and what is reported of it.
    static let productFaults: [(String, String, String)] = [
        (#"\#(coins),"price":1"#, "price", "is not a known member"),
        (#"\#(coins),"retired":{"replacement":"x"}"#, "retired.replacement", "no product"),
        (#"\#(coins),"retired":{"replacement":"coins"}"#, "retired.replacement", "retired itself"),
        (#"{"productId":"p","type":"gift","grants":[]"#, "type", "\"consumable\""),
        (#"\#(consumable)"grants":[]"#, "grants", "nothing"),
        (#"\#(consumable)"grants":[{"entitlement":"c"}]"#, "grants[0].amount", "is missing"),
        (#"\#(consumable)"grants":[{"entitlement":"c","amount":0}]"#, "grants[0].amount", "must be from 1"),
        (product("p", "nonConsumable", lasting), "grants[0].durationDays", "not nonRenewing"),
        (
            #"\#(coins),"retired":{"compensation":[\#(lasting)]}"#, "retired.compensation[0].durationDays",
            "nonRen"
        ),
        (pass.replacing("30", with: "36501"), "grants[0].durationDays", "from 1 to 36500"),
        (
            pass.replacing(#""durationDays""#, with: #""amount":1,"durationDays""#), "grants[0].durationDays",
            "beside an amount"
        ),
        (
            product("p", "autoRenewable", #"{"entitlement":"p","amount":1}"#), "grants[0].amount",
            "no amounts"
        ),
        (#"\#(coins),"subscriptionGroup":"g""#, "subscriptionGroup", "not autoRenewable"),
        (#"\#(month),"subscriptionGroup":"""#, "subscriptionGroup", "1 to 256 bytes"),
        (#"\#(month),"rank":1"#, "rank", "one subscriptionGroup"),
        (#"\#(month),"subscriptionGroup":"g","rank":0"#, "rank", "must be from 1"),
        (#"\#(coins),"onSaleFrom":100000000000,"onSaleUntil":100000000000"#, "onSaleUntil", "not later"),
        (#"\#(coins),"onSaleFrom":1760000000"#, "onSaleFrom", "such as 1760000000000"),
        (#"\#(coins),"onSaleUntil":99999999999"#, "onSaleUntil", "seconds"),
        (#"\#(coins),"onSaleFrom":-1"#, "onSaleFrom", "must be from 0"),
        (#"\#(coins),"onSaleFrom":1.5"#, "onSaleFrom", "whole number"),
        (#"\#(coins),"onOtherLogin":"move""#, "onOtherLogin", "\"transfer\""),
        (#"\#(coins),"onOtherLogin":"transfer""#, "onOtherLogin", "amounts never move"),
        (#"\#(hero),"whenOwned":"keep""#, "whenOwned", "\"park\""),
        (#"\#(hero),"whenOwned":{"compensation":[]}"#, "whenOwned.compensation", "nothing"),
        (#"\#(hero),"whenOwned":{}"#, "whenOwned.compensation", "is missing"),
        (
            #"\#(hero),"whenOwned":{"compensation":[\#(lasting)]}"#, "whenOwned.compensation[0].durationDays",
            "nonRen"
        ),
        (#"\#(coins),"whenOwned":"park""#, "whenOwned", "nonConsumable"),
        (#"\#(month),"whenOwned":"park""#, "whenOwned", "nonConsumable"),
        (#"\#(coins),"limitPerBuyer":0"#, "limitPerBuyer", "must be from 1"),
        (#"\#(coins),"referencePrice":{"currency":"USD"}"#, "referencePrice.amount", "is missing"),
        (
            #"\#(coins),"referencePrice":{"amount":1,"currency":"usd"}"#, "referencePrice.currency",
            "three capital"
        ),
        (#"\#(coins),"referencePrice":{"amount":-1,"currency":"USD"}"#, "referencePrice.amount", "from 0"),
        (#"\#(coins),"titles":{"en_US":"x"}"#, "titles.en_US", "no language tag"),
        (#"\#(coins),"titles":{"en":""}"#, "titles.en", "1 to 256 bytes"),
        (#"\#(coins),"titles":{"en":7}"#, "titles.en", "must be a string"),
        (#"\#(coins),"metadata":[1]"#, "metadata", "must be an object"),
        (#"\#(coins),"metadata":{"a":"\#(String(repeating: "x", count: 2_048))"}"#, "metadata", "2048"),
        (#"\#(coins),"metadata":{"a":[[[[[[[[1]]]]]]]]}"#, "metadata", "9 levels"),
    ]
    .map { (#"{"products":[\#($0)}]}"#, "products[0].\($1)", $2) }

    private static let hero = product("hero", "nonConsumable", #"{"entitlement":"hero"}"#)
    private static let consumable = #"{"productId":"p","type":"consumable","#

    @Test(arguments: faults + productFaults)
    func `what is wrong is named`(text: String, member: String, says: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try Catalog(json: text) }
        #expect(error.member == member)
        #expect(error.description.contains(says))
    }

    /// A product with every member set.
    private static let full = """
        {"products":[{"productId":"m","bundleId":"com.example.game","type":"autoRenewable",
        "grants":[{"entitlement":"m"}],"subscriptionGroup":"club","rank":2,"onSaleFrom":1760000000010,"onSaleUntil":1760000000020,
        "retired":{},"onOtherLogin":"transfer","limitPerBuyer":3,
        "referencePrice":{"amount":990,"currency":"USD"},"titles":{"en":"Club","zh-Hans":"俱乐部"},
        "metadata":{"icon":"c/1.png","tags":[1,2.5,true,null]}},\(pass)},\(coins)},
        \(hero),"whenOwned":{"compensation":[{"entitlement":"c","amount":2}]}}],
        "entitlements":{"c":{"balance":"floor"}}}
        """

    @Test func `every member is read, and written as it was`() throws {
        let catalog = try Catalog(json: Self.full)
        let month = try #require(catalog.product(ProductID(unchecked: "m"), of: .game))
        #expect(month.subscriptionGroup == "club" && month.rank == 2 && month.onOtherLogin == .transfer)
        #expect(month.limitPerBuyer == 3 && month.titles?["zh-Hans"] == "俱乐部")
        #expect(month.referencePrice == .init(amount: 990, currency: "USD"))
        #expect(month.metadata?["icon"] == .string("c/1.png"))
        let pass = try #require(catalog.product(ProductID(unchecked: "pass"), of: .otherApp))
        #expect(pass.grants == [.init(entitlement: "p", durationDays: 30)] && pass.onOtherLogin == .conflict)
        let hero = catalog.lookup(bundleID: .otherApp, productID: ProductID(unchecked: "hero"))
        let coins = Catalog.OwnedRule.compensation([.init(entitlement: "c", amount: 2)])
        let grants = [Catalog.Grant(entitlement: "hero")]
        #expect(hero == .active(type: .nonConsumable, grants: grants, whenOwned: coins))
        let written = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(catalog))
        #expect(try written == JSONDecoder().decode(JSONValue.self, from: Data(Self.full.utf8)))
    }

    @Test(arguments: [
        ("consumable", #"{"entitlement":"c","amount":9}"#, "coins", true),
        ("consumable", #"{"entitlement":"c","amount":9}"#, "pass", false),
        ("nonConsumable", #"{"entitlement":"old"}"#, "hero", true),
        ("nonConsumable", #"{"entitlement":"old"}"#, "pass", false),
        ("nonConsumable", #"{"entitlement":"old"}"#, "m", false),
        ("nonConsumable", #"{"entitlement":"old"}"#, "coins", false),
        ("nonRenewing", #"{"entitlement":"old","durationDays":7}"#, "pass", true),
        ("nonRenewing", #"{"entitlement":"old"}"#, "hero", true),
        ("autoRenewable", #"{"entitlement":"old"}"#, "m", true),
        ("autoRenewable", #"{"entitlement":"old"}"#, "hero", false),
    ])
    func `a replacement's goods end as the retired product's do`(
        _ type: String,
        _ grant: String,
        _ replacement: String,
        _ isTaken: Bool
    ) throws {
        let old = Self.product("old", type, grant) + #","retired":{"replacement":"\#(replacement)"}"#
        let sold = [Self.coins, Self.hero, Self.pass, Self.month, old].map { $0 + "}" }.joined(separator: ",")
        do throws(ConfigurationError) {
            _ = try Catalog(json: #"{"products":[\#(sold)]}"#)
            #expect(isTaken)
        } catch {
            #expect(!isTaken && error.member == "products[4].retired.replacement")
            #expect(error.description.contains("in the same way"))
        }
    }

    @Test func `sale dates hold from the first to before the last moment`() throws {
        let catalog = try Catalog(json: Self.full)
        var month = try #require(catalog.product(ProductID(unchecked: "m"), of: .game))
        month.retired = nil
        let moments = [9, 10, 19, 20].map { 1_760_000_000_000 + $0 as Int64 }
        let sold = moments.map { month.isOnSale(at: Timestamp(milliseconds: $0)) }
        #expect(sold == [false, true, true, false])
        let coins = try #require(catalog.product(ProductID(unchecked: "coins"), of: .game))
        #expect(coins.isOnSale(at: Timestamp(milliseconds: 0)))
        var retired = coins
        retired.retired = .undecided
        #expect(!retired.isOnSale(at: Timestamp(milliseconds: 0)), "nothing retired is on sale")
    }

    @Test
    func `an entitlement is counted or possessed, and its balance may fall below zero unless it says floor`()
        throws
    {
        let catalog = try Catalog(json: Self.full)
        #expect(catalog.isCounted("c") == true && catalog.isCounted("m") == false)
        #expect(catalog.isCounted("never heard") == nil)
        #expect(catalog.balance(of: "c") == .floor && catalog.balance(of: "gems") == .negative)
    }

    @Test func `names of entitlements are compared by their bytes, as stores compare them`() throws {
        let coffee =
            #"{"productId":"c","type":"consumable","grants":[{"entitlement":"caf\u00E9","amount":1}]}"#
        let rules = #""entitlements":{"caf\u00E9":{"balance":"floor"}}"#
        let catalog = try Catalog(json: #"{"products":[\#(coffee)],\#(rules)}"#)
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed, "for Swift they are one")
        #expect(catalog.isCounted(composed) == true && catalog.isCounted(decomposed) == nil)
        #expect(catalog.balance(of: composed) == .floor && catalog.balance(of: decomposed) == .negative)
        #expect(catalog.hasRules(for: composed) && !catalog.hasRules(for: decomposed))
    }

    @Test func `an app sees its own products and those for every app, once each`() throws {
        let own = Self.coins.replacing("5", with: "6") + #","bundleId":"\#(BundleID.game)"}"#
        let catalog = try Catalog(json: #"{"products":[\#(Self.coins)},\#(own),\#(Self.pass)}]}"#)
        let mine = catalog.products(of: .game)
        #expect(mine.map(\.productId.rawValue) == ["coins", "pass"] && mine[0].grants[0].amount == 6)
        #expect(catalog.products(of: .otherApp).first?.grants.first?.amount == 5)
    }

    @Test func `the version is that of the content, whatever the order of members and the spaces`() throws {
        let version = try Catalog(json: Self.full).version
        #expect(version.isHexadecimal(digits: 16))
        let other = Self.full.replacing(
            #""rank":2,"onSaleFrom":1760000000010"#,
            with: #""onSaleFrom": 1760000000010, "rank" :2"#
        )
        #expect(other != Self.full)
        #expect(try Catalog(json: other).version == version)
        #expect(try Catalog(json: Self.full.replacing(#""rank":2"#, with: #""rank":3"#)).version != version)
        let explicit = Self.coins + #","onOtherLogin":"conflict""#
        let read = try Catalog(json: #"{"products":[\#(explicit)}]}"#)
        #expect(try read == Catalog(json: #"{"products":[\#(Self.coins)}]}"#))
    }

    @Test(arguments: Catalog.ProductType.allCases)
    func `a type is the one that Apple signs under its own name, or under none in old receipts`(
        type: Catalog.ProductType
    ) {
        let names = [
            "Consumable", "Non-Consumable", "Auto-Renewable Subscription", "Non-Renewing Subscription",
        ]
        #expect(names.filter(type.agrees(with:)) == [type.signedName])
        #expect(type.agrees(with: "") && !type.agrees(with: "Something newer"))
    }
}
