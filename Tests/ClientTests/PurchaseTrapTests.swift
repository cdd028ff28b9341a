import Testing

@testable import CounterfoilClient

/// What StoreKit does to purchases: they come later, twice, without a token, or to another login.
@Suite struct `A purchase that goes wrong` {
    typealias Phone = `The purchase flow`.Phone

    private static func failed(_ token: String) -> PurchaseFlow.Event {
        .purchased(
            productID: "coins",
            token: token,
            .failure(.failed(domain: "SKErrorDomain", code: "2"))
        )
    }

    /// A phone that has died with what is kept, and is another login's now.
    private static func relaunched(_ phone: Phone, login: String) -> Phone {
        Phone(login: login, records: phone.flow.purchases.values.map { .purchase($0) })
    }

    static let unpaid: [Result<SeenTransaction, PurchaseOutcome>] = [
        .failure(.cancelled), .failure(.deferred), .failure(.failed(domain: "SKErrorDomain", code: "2")),
    ]

    @Test(arguments: unpaid, [OrderAnswer.issued(orderID: "order-1"), .unreachable])
    func `that was called unpaid and is paid later is its buyer's, after a death and another login`(
        result: Result<SeenTransaction, PurchaseOutcome>,
        answer: OrderAnswer
    ) {
        var phone = Phone()
        phone.pay(answer)
        let token = answer == .unreachable ? "t1" : "order-1"
        let effects = phone.apply(.purchased(productID: "coins", token: token, result))
        #expect(effects.contains { if case .purchase(_, .keep) = $0 { true } else { false } })
        var next = Self.relaunched(phone, login: "bob")
        next.apply(.seen(.sample(token: token)))
        let proof = next.flow.deliveries["1"]?.proof
        #expect(proof?.buyer == "ada" && proof?.isPurchase == true)
        #expect(proof?.orderID == (answer == .unreachable ? nil : "order-1"))
        next.keep()
        next.answer(.granted)
        next.finish()
        #expect(next.flow.purchases.isEmpty)
    }

    @Test func `that somebody has to approve is not paid twice, also where the gateway is down`() {
        var phone = Phone()
        phone.pay()
        phone.apply(.purchased(productID: "coins", token: "order-1", .failure(.deferred)))
        var next = Self.relaunched(phone, login: "ada")
        #expect(next.state == .waitingForApproval)
        next.apply(.acknowledged(productID: "coins"))
        #expect(next.state == .ready)
        let buy = next.apply(
            .buy(productID: "coins"),
            .ordered(productID: "coins", .unreachable, token: "t2", now: 2)
        )
        #expect(!buy.contains { if case .purchase(_, .keep) = $0 { true } else { false } })
        #expect(next.state == .waitingForApproval)
        next.apply(
            .acknowledged(productID: "coins"),
            .buy(productID: "coins"),
            .ordered(productID: "coins", .issued(orderID: "order-2"), token: "t3", now: 3)
        )
        #expect(next.state == .ordering)
        #expect(next.flow.purchases["order-1"]?.state == .unpaid)
    }

    @Test(arguments: [OrderAnswer.issued(orderID: "order-1"), .unreachable])
    func `that somebody has to approve waits on where the gateway has not heard of it`(first: OrderAnswer) {
        var phone = Phone()
        phone.pay(first)
        let token = first == .unreachable ? "t1" : "order-1"
        phone.apply(.purchased(productID: "coins", token: token, .failure(.deferred)))
        func buy(_ answer: OrderAnswer) -> [PurchaseFlow.Effect] {
            phone.apply(
                .buy(productID: "coins"),
                .ordered(productID: "coins", answer, token: "t2", now: 2)
            )
        }
        let report = Checkout.Effect.report(orderID: "order-1", buyer: "ada", .deferred)
        #expect(
            buy(.open(orderID: "order-1", state: "issued"))
                .contains(.purchase(productID: "coins", report))
        )
        #expect(phone.state == .waitingForApproval)
        var approved = Self.relaunched(phone, login: "ada")
        approved.apply(.seen(.sample(token: token)))
        #expect(approved.flow.deliveries["1"]?.proof.orderID == "order-1")
        // The first order was closed.
        _ = buy(.issued(orderID: "order-2"))
        #expect(phone.state == .ordering)
    }

    @Test(arguments: [false, true])
    func `that is approved while the next order is made is the only one that is paid`(isDelivered: Bool) {
        var phone = Phone()
        phone.pay(.unreachable)
        phone.apply(
            .purchased(productID: "coins", token: "t1", .failure(.deferred)),
            .acknowledged(productID: "coins"),
            .buy(productID: "coins"),
            .seen(.sample(token: "t1"))
        )
        if isDelivered {
            phone.keep()
            phone.answer(.granted)
            phone.finish()
        }
        let late = phone.apply(
            .ordered(productID: "coins", .issued(orderID: "order-2"), token: "t2", now: 2)
        )
        let unused = Checkout.Effect.report(orderID: "order-2", buyer: "ada", .cancelled)
        #expect(late.first == .purchase(productID: "coins", unused))
        #expect(phone.flow.checkouts["coins"]?.phase == .idle && phone.flow.purchases["order-2"] == nil)
        #expect(phone.flow.purchases["t1"]?.orderID == nil)
        #expect(phone.state == (isDelivered ? .done : .delivering(isSlow: false)))
        guard isDelivered else { return }
        phone.pay(.issued(orderID: "order-3"))
        #expect(phone.state == .paying)
    }

    @Test func `that is approved while the next one is kept is the only one that is paid`() {
        var phone = Phone()
        phone.pay(.unreachable)
        phone.apply(
            .purchased(productID: "coins", token: "t1", .failure(.cancelled)),
            .buy(productID: "coins"),
            .ordered(productID: "coins", .issued(orderID: "order-2"), token: "t2", now: 2),
            .seen(.sample(token: "t1")),
            .purchaseKept(productID: "coins", token: "order-2", isDurable: true)
        )
        #expect(phone.state == .delivering(isSlow: false))
    }

    @Test func `that was given an order later is matched where Apple has lost its token`() {
        var phone = Phone()
        phone.pay(.unreachable)
        phone.apply(
            .purchased(productID: "coins", token: "t1", .failure(.deferred)),
            .buy(productID: "coins"),
            .ordered(productID: "coins", .issued(orderID: "order-1"), token: "t2", now: 2),
            .login("bob"),
            .seen(.sample())
        )
        let proof = phone.flow.deliveries["1"]?.proof
        #expect(proof?.buyer == "ada" && proof?.orderID == "order-1" && proof?.token == "t1")
    }

    @Test(arguments: [
        DeliveryAnswer.verdict("parked", finish: false, reason: "unknownProduct"),
        DeliveryAnswer(status: 403, code: "forbidden"), DeliveryAnswer(status: 200),
    ])
    func `and needs help is not paid again`(answer: DeliveryAnswer) {
        var phone = Phone()
        phone.pay()
        phone.apply(.purchased(productID: "coins", token: "order-1", .success(.sample(token: "order-1"))))
        phone.keep()
        phone.answer(answer)
        phone.apply(.acknowledged(productID: "coins"))
        #expect(phone.apply(.buy(productID: "coins")).isEmpty)
    }

    @Test func `and ends with another's goods is not paid again, also after the buyer has read it`() {
        var phone = Phone()
        phone.pay()
        phone.apply(.purchased(productID: "coins", token: "order-1", .success(.sample(token: "order-1"))))
        phone.keep()
        phone.answer(.verdict("conflict", finish: true))
        phone.finish()
        #expect(phone.state == .needsHelp(code: "conflict"))
        #expect(phone.apply(.buy(productID: "coins")).isEmpty)
        phone.apply(.acknowledged(productID: "coins"))
        #expect(phone.apply(.buy(productID: "coins")).isEmpty)
        #expect(phone.state == .needsHelp(code: "conflict") && phone.flow.screen(of: "coins").isPaid)
    }

    @Test func `is not mixed up with an older one that StoreKit answers with`() {
        var phone = Phone()
        phone.pay()
        let older = SeenTransaction.sample("7", token: "order-0")
        phone.apply(.purchased(productID: "coins", token: "order-1", .success(older)))
        #expect(phone.flow.deliveries["7"]?.proof.orderID == "order-0")
        #expect(phone.state == .delivering(isSlow: false))
        phone.keep("7")
        phone.answer(.granted, to: "7")
        phone.finish("7")
        #expect(phone.flow.purchases["order-1"] != nil)
    }

    @Test func `answers late, and does not end the next one`() {
        var phone = Phone()
        phone.pay()
        phone.apply(.seen(.sample(token: "order-1")))
        phone.keep()
        phone.answer(.granted)
        phone.finish()
        phone.pay(.issued(orderID: "order-2"))
        #expect(phone.state == .paying)
        let late = PurchaseFlow.Event.purchased(productID: "coins", token: "order-1", .failure(.cancelled))
        #expect(phone.apply(late).isEmpty)
        #expect(phone.state == .paying)
    }

    @Test func `and was cancelled takes no payment without a token from another login`() {
        var phone = Phone()
        phone.pay(.unreachable)
        phone.apply(.purchased(productID: "coins", token: "t1", .failure(.cancelled)))
        phone.apply(.login("bob"), .seen(.sample()))
        #expect(phone.flow.deliveries["1"]?.proof.buyer == "bob")
    }

    @Test func `does not push out one that only the phone knows, nor one that is under way`() {
        var phone = Phone()
        phone.apply(
            .buy(productID: "gold"),
            .ordered(productID: "gold", .unreachable, token: "t1", now: 1),
            .purchaseKept(productID: "gold", token: "t1", isDurable: true),
            .purchased(productID: "gold", token: "t1", .failure(.deferred)),
            .buy(productID: "gems"),
            .ordered(productID: "gems", .issued(orderID: "gems-1"), token: "t2", now: -5)
        )
        for number in 0..<100 {
            phone.pay(.issued(orderID: "order-\(number)"))
            phone.apply(Self.failed("order-\(number)"))
        }
        #expect(phone.flow.purchases.count == PurchaseFlow.maximumKeptPurchases)
        #expect(phone.flow.purchases["t1"] != nil && phone.flow.purchases["gems-1"] != nil)
    }

    @Test func `of a page of the App Store waits for the login`() {
        var phone = Phone(login: nil)
        #expect(phone.apply(.buy(productID: "coins")).isEmpty)
        let effects = phone.apply(.login("ada"))
        #expect(effects.contains(.purchase(productID: "coins", .order(buyer: "ada"))))
        phone.apply(.login(nil))
        #expect(!phone.apply(.login("bob")).contains { if case .purchase = $0 { true } else { false } })
    }

    @Test func `waits until StoreKit has listed what is paid, which still counts when it comes later`() {
        var phone = Phone(login: "ada", records: [.purchase(.sample)], hasListed: false)
        let early = phone.apply(.buy(productID: "gems"), .buy(productID: "coins"))
        #expect(!early.contains { if case .purchase = $0 { true } else { false } })
        #expect(phone.state == .ordering)
        let effects = phone.apply(.listed([.sample(token: "order-1")]))
        #expect(effects.contains(.purchase(productID: "gems", .order(buyer: "ada"))))
        #expect(!effects.contains(.purchase(productID: "coins", .order(buyer: "ada"))))
        phone.apply(.listed([.sample("2")]))
        #expect(phone.flow.deliveries.keys.sorted() == ["1", "2"])
    }

    @Test(arguments: [KeptPurchase.State.begun, .deferred, .unpaid])
    func `and that an earlier life began waits for the list without end, and another product does not`(
        state: KeptPurchase.State
    ) {
        var kept = KeptPurchase.sample
        kept.state = state
        var phone = Phone(login: "ada", records: [.purchase(kept)], hasListed: false)
        let order = PurchaseFlow.Effect.purchase(productID: "coins", .order(buyer: "ada"))
        let effects = phone.apply(.buy(productID: "gems"), .buy(productID: "coins"), .listed(nil))
        #expect(effects.contains(.purchase(productID: "gems", .order(buyer: "ada"))))
        #expect(!effects.contains(order))
        #expect(!phone.apply(.foreground, .buy(productID: "coins")).contains(order))
        #expect(phone.flow.screen(of: "coins") == PurchaseScreen(state: .needsHelp(code: "not-listed")))
        #expect(phone.apply(.listed([])).contains(order), "it was not paid")
        #expect(phone.state == .ordering)
    }

    @Test func `and waits for the list is given up by who has read that`() {
        var phone = Phone(login: "ada", records: [.purchase(.sample)], hasListed: false)
        phone.apply(.buy(productID: "coins"), .listed(nil), .acknowledged(productID: "coins"))
        #expect(phone.state == .ready)
        #expect(!phone.apply(.listed([])).contains { if case .purchase = $0 { true } else { false } })
    }

    @Test func `and waits for StoreKit is not made for the next login`() {
        var phone = Phone(login: "ada", hasListed: false)
        let effects = phone.apply(.buy(productID: "coins"), .login("bob"), .listed([]))
        #expect(!effects.contains { if case .purchase = $0 { true } else { false } })
    }

    @Test func `leaves no trace for ever: delivered transactions are forgotten in time`() {
        var phone = Phone()
        for number in 0...PurchaseFlow.maximumDone {
            phone.apply(.seen(.sample("\(number)")))
            phone.keep("\(number)")
            phone.answer(.granted, to: "\(number)")
            phone.finish("\(number)")
        }
        phone.apply(.seen(.sample("1")), .seen(.sample("0")))
        #expect(phone.flow.deliveries.keys.sorted() == ["0"])
    }

    @Test func `is handed in at once, however many others are asked about`() {
        var phone = Phone(records: (1...9).map { .proof(.sample("\($0)", isPurchase: $0 > 6)) })
        let first = (1...9).map { String($0) }
        for id in first { phone.answer(.pending, to: id) }
        let polls = phone.apply(.foreground).compactMap { effect -> Int64? in
            guard case .proof(_, _, .send(let submission)) = effect else { return nil }
            return submission.receiptID == nil ? nil : submission.waitMilliseconds
        }
        #expect(polls.count == 9 && polls.filter { $0 > 0 }.count == PurchaseFlow.maximumPolls.all)
        for id in first { phone.answer(.pending, to: id) }
        let again = phone.apply(.foreground).filter { effect in
            guard case .proof(_, _, .send(let submission)) = effect else { return false }
            return submission.waitMilliseconds > 0
        }
        #expect(again.count == PurchaseFlow.maximumPolls.all)
    }

    @Test func `and others that nobody looks at do not wait at the gateway`() {
        var phone = Phone(records: [.proof(.sample("1", isPurchase: false)), .proof(.sample("2"))])
        let waits = ["1", "2"].map { id -> Int64? in
            phone.answer(.lost, to: id)
            let effects = phone.apply(.proof(transactionID: id, .wake))
            guard case .proof(_, _, .send(let submission))? = effects.first else { return nil }
            return submission.waitMilliseconds
        }
        #expect(waits == [0, 5_000])
    }
}
