import Contracts
import Domain
import Testing

@testable import Receipts

@Suite struct `the registration of a purchase's names` {
    private static let chain = TransactionID(unchecked: "20")
    private static let smaller = TransactionID(unchecked: "9")
    private static let larger = TransactionID(unchecked: "30")
    private static let transaction = PurchaseName.transaction(TransactionID(unchecked: "21"))
    private static let other = PurchaseName.transaction(TransactionID(unchecked: "22"))
    private static let lineItem = PurchaseName.lineItem("70")

    /// Every state, with the fields that make a difference.
    static let states = [
        NameRegistration(of: chain),
        NameRegistration(of: chain, .registering(transaction, rest: [])),
        NameRegistration(of: chain, .registering(transaction, rest: [lineItem])),
        NameRegistration(of: chain, .registering(lineItem, rest: []), names: [transaction]),
        NameRegistration(of: chain, .registered, names: [transaction, lineItem]),
        NameRegistration(of: chain, .registered, names: [lineItem], others: [transaction]),
        NameRegistration(of: chain, .contested(by: larger, transaction), names: [lineItem]),
        NameRegistration(of: chain, .alias(of: larger, transaction), names: [lineItem]),
        NameRegistration(of: chain, .alias(of: smaller, nil)),
    ]

    /// Every event, with the contents that make a difference.
    static let events: [NameRegistration.Event] = [
        .stated([], through: []),
        .stated([transaction, lineItem], through: []),
        .stated([lineItem, other], through: [larger]),
        .stated([transaction], through: [smaller]),
        .told(transaction, home: chain),
        .told(transaction, home: larger),
        .told(lineItem, home: chain),
        .told(lineItem, home: smaller),
        .refused,
    ]

    @Test(arguments: states, events)
    func `takes an event twice as it takes it once`(from: NameRegistration, event: NameRegistration.Event) {
        for phase in NameRegistration.Phase.allCases {
            var registration = from
            _ = registration.apply(event, phase)
            var again = registration
            let directives = again.apply(event, phase)
            // Of a name that comes next, the first answer says nothing.
            #expect(again == registration, "\(phase)")
            #expect(directives.isEmpty, "\(phase)")
        }
    }

    @Test(arguments: states, events)
    func `says nothing of an event that changes nothing`(
        from: NameRegistration,
        event: NameRegistration.Event
    ) {
        for phase in NameRegistration.Phase.allCases {
            var registration = from
            let directives = registration.apply(event, phase)
            if registration == from { #expect(directives.isEmpty, "\(phase)") }
        }
    }

    @Test func `claims the transaction id first, and the line item once that is its own`() {
        var names = NameRegistration(of: Self.chain)
        let first = names.apply(.stated([Self.lineItem, Self.transaction], through: []), .open)
        #expect(first == [.claim(Self.transaction)])
        #expect(names.way(.open) == .wait)
        #expect(names.apply(.told(Self.transaction, home: Self.chain), .open) == [.claim(Self.lineItem)])
        #expect(names.way(.open) == .wait)
        #expect(names.apply(.told(Self.lineItem, home: Self.chain), .open).isEmpty)
        #expect(names.way(.open) == .proceed)
        #expect(names.redrive == [Self.transaction, Self.lineItem])
    }

    @Test func `goes on at once where nothing is stated`() {
        var names = NameRegistration(of: Self.chain)
        #expect(names.apply(.stated([], through: []), .open).isEmpty)
        #expect(names.state == .registered)
    }

    @Test func `claims no further name once another chain has one`() {
        var names = NameRegistration(of: Self.chain)
        _ = names.apply(.stated([Self.transaction, Self.lineItem], through: []), .open)
        let told = names.apply(.told(Self.transaction, home: Self.larger), .open)
        #expect(told == [.becomeAlias(of: Self.larger)])
        #expect(names.way(.open) == .forward(to: Self.larger))
        #expect(names.apply(.stated([Self.other], through: []), .open).isEmpty)
    }

    @Test func `waits for Orders before a purchase that it was asked about goes to another chain`() {
        var names = NameRegistration(of: Self.chain, .registered, names: [Self.lineItem])
        #expect(names.apply(.stated([Self.other], through: []), .asked) == [.claim(Self.other)])
        #expect(names.way(.asked) == .proceed)
        let told = names.apply(.told(Self.other, home: Self.larger), .asked)
        #expect(told == [.alarm(Self.other, home: Self.larger)])
        #expect(names.way(.asked) == .proceed)
        #expect(names.apply(.refused, .asked) == [.becomeAlias(of: Self.larger)])
    }

    @Test func `only alarms once the purchase is held, and claims the next name`() {
        var names = NameRegistration(of: Self.chain, .registered)
        _ = names.apply(.stated([Self.transaction, Self.lineItem], through: []), .held)
        let told = names.apply(.told(Self.transaction, home: Self.larger), .held)
        #expect(told == [.alarm(Self.transaction, home: Self.larger), .claim(Self.lineItem)])
        #expect(names.apply(.told(Self.lineItem, home: Self.chain), .held).isEmpty)
        #expect(names.apply(.stated([Self.transaction, Self.lineItem], through: []), .held).isEmpty)
    }

    @Test func `claims what a contested purchase states once it is held, and what it has not claimed before`()
    {
        var names = NameRegistration(of: Self.chain, .contested(by: Self.larger, Self.transaction))
        #expect(names.apply(.stated([Self.lineItem], through: []), .asked).isEmpty)
        #expect(names.apply(.stated([Self.other], through: []), .held) == [.claim(Self.other)])
        #expect(names.apply(.told(Self.other, home: Self.chain), .held) == [.claim(Self.lineItem)])
        let told = names.apply(.told(Self.lineItem, home: Self.larger), .held)
        #expect(told == [.alarm(Self.lineItem, home: Self.larger)])
        #expect(names.names == [Self.other] && names.others == [Self.transaction, Self.lineItem])
    }

    @Test func `has a name whose row names an alias from which its facts have come`() {
        var names = NameRegistration(of: Self.chain)
        _ = names.apply(.stated([Self.transaction], through: [Self.larger]), .open)
        #expect(names.apply(.told(Self.transaction, home: Self.larger), .open).isEmpty)
        #expect(names.state == .registered && names.names == [Self.transaction])
    }

    /// The home of an alias of 20 sends facts back: 20 is at home if it is the smallest of the circle.
    @Test(arguments: [
        (["30"], "30", true), (["30", "31"], "30", true), (["9", "30"], "30", true), (["100"], "100", true),
        (["9"], "9", false), (["30", "9"], "30", false), (["30"], "31", false), ([], "30", false),
    ])
    func `ends a circle of aliases at its smallest chain`(path: [String], home: String, isHome: Bool) {
        let home = TransactionID(unchecked: home)
        var names = NameRegistration(of: Self.chain, .alias(of: home, Self.lineItem))
        let path = path.map(TransactionID.init(unchecked:))
        _ = names.apply(.stated([Self.lineItem], through: path), .open)
        #expect(names.way(.open) == (isHome ? .proceed : .forward(to: home)))
    }

    @Test func `registers what is left once a circle has ended here`() {
        let home = TransactionID(unchecked: "30")
        var names = NameRegistration(of: Self.chain, .alias(of: home, Self.transaction))
        let stated = NameRegistration.Event.stated([Self.transaction, Self.lineItem], through: [home])
        #expect(names.apply(stated, .open) == [.claim(Self.lineItem)])
        #expect(names.apply(.told(Self.lineItem, home: home), .open).isEmpty)
        #expect(names.state == .registered && names.names == [Self.transaction, Self.lineItem])
    }

    @Test func `ends a path that is too long wherever that is`() {
        var names = NameRegistration(of: Self.chain, .alias(of: Self.larger, Self.lineItem))
        let path = Array(repeating: Self.smaller, count: TransactionVerifiedV1.maximumAliases)
        _ = names.apply(.stated([], through: path), .open)
        #expect(names.way(.open) == .proceed)
    }

    @Test func `alarms where an alias is held after all, as Orders may say after a restore`() {
        var names = NameRegistration(of: Self.chain, .alias(of: Self.larger, Self.transaction))
        let directives = names.apply(.stated([Self.lineItem], through: []), .held)
        #expect(directives == [.alarm(Self.transaction, home: Self.larger), .claim(Self.lineItem)])
        #expect(names.way(.held) == .proceed)
    }
}

@Suite struct `the names of a purchase` {
    /// A period, of which `change` makes something else.
    private func names(
        id: String = "8",
        type: String = ProductType.autoRenewable,
        _ change: (inout SignedTransaction) -> Void = { _ in }
    ) throws -> [PurchaseName] {
        var signed = Sample.transaction(id, original: "7", type: type)
        (signed.webOrderLineItemId, signed.inAppOwnershipType) = ("70", "PURCHASED")
        change(&signed)
        return PurchaseName.names(of: try #require(TransactionFacts(signed)))
    }

    private static let transaction = PurchaseName.transaction(TransactionID(unchecked: "8"))
    private static let lineItem = PurchaseName.lineItem("70")

    @Test func `are its transaction id and its line item`() throws {
        #expect(try names() == [Self.transaction, Self.lineItem])
    }

    @Test func `are its line item alone where it is the first of its chain`() throws {
        #expect(try names(id: "7") == [Self.lineItem])
    }

    @Test(arguments: ["FAMILY_SHARED", "ASSIGNED", nil] as [String?])
    func `are its transaction id alone where it is not stated to be bought`(ownership: String?) throws {
        #expect(try names { $0.inAppOwnershipType = ownership } == [Self.transaction])
    }

    @Test func `are its transaction id alone where it was added to a period`() throws {
        #expect(try names { $0.additionalTransactionReason = "SEAT_ADDITION" } == [Self.transaction])
    }

    @Test(arguments: ["", "0", nil] as [String?]) func `have no line item that is none`(
        lineItem: String?
    ) throws {
        #expect(try names { $0.webOrderLineItemId = lineItem } == [Self.transaction])
    }

    @Test(arguments: [ProductType.nonConsumable, ""])
    func `are none of a Non-Consumable, which each restore gives another id`(type: String) throws {
        #expect(try names(type: type) { $0.webOrderLineItemId = nil }.isEmpty)
    }

    @Test func `are none of an ordinary consumable`() throws {
        let facts = try #require(TransactionFacts(Sample.transaction("1")))
        #expect(PurchaseName.names(of: facts).isEmpty && facts.isOrdinary)
    }
}
