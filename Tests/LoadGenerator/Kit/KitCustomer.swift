import AppStoreSigning
import Contracts
import Foundation
import LoadVerdict
import TestKit

/// What all phones of a run share that are processes of their own.
struct KitPhones: Sendable {
    /// The program that is started as a phone, with its arguments.
    let command: [String]
    let gate: KitGate
}

/// One customer whose phone is a process: it buys, is killed, and is started again with its files.
struct KitCustomer: Sendable {
    private static let tickPause = Duration.milliseconds(200)
    /// How long a customer waits at most: where all of them wait, no other one comes, and the run has no end.
    private static let patience = Duration.seconds(180)
    /// The buyer comes back to the app at each tick of this number.
    private static let ticksToForeground = 10
    /// What a buyer sees who cannot buy: another phone of the same buyer does.
    private static let refusals: Set = [
        "ready", "delivering", "alreadyOwned", "needsHelp", "waitingForApproval",
    ]

    let context: LoadContext
    let script: Script
    let kit: KitPhones
    let deaths: [KitWatch.Death]
    private let start = ContinuousClock.now

    init(context: LoadContext, script: Script, kit: KitPhones, deaths: [KitWatch.Death]) {
        (self.context, self.script, self.kit, self.deaths) = (context, script, kit, deaths)
    }

    private var product: Product { context.products[script.product] }
    private var isOver: Bool { context.schedule.isOver || .now - start > Self.patience }

    /// Plays until everything that was paid is finished, or the run is over.
    ///
    /// - Throws: what the journal throws; `SystemFault` when the phone cannot be started.
    func play() async throws {
        let phone = try KitPhone(
            token: "\(context.buyers[0])-\(script.number)",
            script: script,
            deaths: deaths
        )
        kit.gate.admit(phone)
        let sales = Sales()
        while !phone.watch.isDone, !sales.isRefused, !isOver {
            try await live(phone, sales)
        }
        kit.gate.forget(phone)
        for payment in phone.watch.unfinished { context.note { $0.noteUnfinished(payment) } }
        try FileManager.default.removeItem(at: phone.files)
    }

    /// One life of the phone.
    private func live(_ phone: KitPhone, _ sales: Sales) async throws {
        let process = try LineProcess(
            kit.command,
            environment: [
                "COUNTERFOIL_GATEWAY": kit.gate.url, "COUNTERFOIL_BUNDLE_ID": context.client.bundleID,
                "COUNTERFOIL_BUYER": context.buyers[script.buyer], "COUNTERFOIL_TOKEN": phone.token,
                "COUNTERFOIL_FILES": phone.files.path(percentEncoded: false),
            ]
        )
        let death = phone.begin(process)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await passTime(phone, process, until: death) }
            try launch(phone, sales)
            for await line in process.lines {
                let line = try JSONDecoder().decode(KitLine.self, from: Data(line.utf8))
                try await take(line, phone, sales)
                if phone.watch.isDone || sales.isRefused { break }
                if line.handled == nil { phone.passPoint() }
            }
            group.cancelAll()
        }
        if process.wasKilled {
            context.note { $0.notePhoneDeath() }
        } else {
            if !phone.watch.isDone, !sales.isRefused {
                context.note { $0.noteRejection("a phone ended by itself") }
                try await Task.sleep(for: Self.tickPause)
            }
            process.kill()
        }
        phone.note { $0.endLife() }
    }

    /// The buyer wants to buy, until it is paid; then StoreKit lists what the phone may not have kept.
    private func launch(_ phone: KitPhone, _ sales: Sales) throws {
        try phone.tell(KitEvent("launch"))
        if sales.all.isEmpty { return try phone.tell(KitEvent("buy", product: product.id)) }
        let watch = phone.watch
        for sale in sales.all where !watch.sent.contains(sale.id) && !watch.finished.contains(sale.id) {
            try phone.tell(sale.event("unfinished"))
        }
    }

    /// Time goes on, and the buyer comes back now and then.
    private func passTime(
        _ phone: KitPhone,
        _ process: LineProcess,
        until death: KitWatch.Death?
    ) async throws {
        if case .after(let milliseconds)? = death {
            try await Task.sleep(for: .milliseconds(milliseconds))
            return process.kill()
        }
        var ticks = 0
        while !isOver {
            try await Task.sleep(for: Self.tickPause)
            ticks += 1
            try phone.tell(KitEvent(ticks.isMultiple(of: Self.ticksToForeground) ? "foreground" : "tick"))
        }
        process.kill()
    }

    private func take(_ line: KitLine, _ phone: KitPhone, _ sales: Sales) async throws {
        if line.pay != nil, sales.all.isEmpty {
            try await pay(phone, sales, token: line.appAccountToken)
        } else if let id = line.finish {
            try await finish(phone.note { $0.finish(id) })
        } else if let state = line.show, sales.all.isEmpty, Self.refusals.contains(state) {
            sales.refuse()
        }
    }

    /// Holds a finish against what the phone was told, and against the ledger.
    private func finish(_ finish: KitWatch.Finish) async throws {
        switch finish {
        case .unknown: context.note { $0.noteRejection("a phone finished what nobody paid") }
        case .tooEarly(let payment): context.note { $0.noteEarlyFinish(payment) }
        case .right(let payment):
            let reply: Void? = try await context.retry { await context.readLedger(of: script.buyer) }
            if reply != nil { context.note { $0.compareWithLedger(payment) } }
        }
    }

    // MARK: The App Store

    /// The sheet is open: the buyer pays, and StoreKit hands over what was paid.
    private func pay(_ phone: KitPhone, _ sales: Sales, token: String?) async throws {
        let count = script.habit == .tokenTwice ? 2 : 1
        for _ in 0..<count { sales.add(try await sell(phone, token: token)) }
        if script.habit == .late { try phone.tell(KitEvent("cancelled", product: product.id)) }
        for sale in sales.all {
            phone.start(sale.id, at: WallClock.microseconds)
            try phone.tell(sale.event("transaction"))
            if script.habit == .duplicates { try phone.tell(sale.event("transaction")) }
        }
    }

    /// A payment that is in the journal: from here on there is something to lose.
    private func sell(_ phone: KitPhone, token: String?) async throws -> Sale {
        var purchase = SimulatedPurchase(bundleId: context.client.bundleID, productId: product.id)
        purchase.type = product.kind.signedName
        // Apple may change the case of the token that it was given.
        purchase.appAccountToken = script.number.isMultiple(of: 2) ? token?.uppercased() : token
        let transaction = purchase.transaction(at: .now())
        let sale = Sale(
            id: try transaction.number,
            product: product.id,
            token: token,
            proof: try context.signer.sign(transaction: transaction)
        )
        var line = JournalLine(.paid, transaction: transaction.transactionId)
        line.owner = context.buyers[script.buyer]
        (line.orderId, line.productId, line.habit) = (token, product.id, script.habit.rawValue)
        let order = token.flatMap { phone.order(of: $0)?.orderId }
        let expectation = PurchaseExpectation(
            owner: Int32(script.buyer),
            product: UInt8(script.product),
            names: order.map { .byToken($0) } ?? .nothing
        )
        context.note { audit in
            audit.notePayment(sale.id, expectation)
            audit.notePromise(of: sale.id)
        }
        phone.note { $0.pay(sale.id, proof: sale.proof) }
        try await context.journal.add(line)
        return sale
    }
}
