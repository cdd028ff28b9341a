import AppStoreSigning
import Contracts
import TestKit

/// A payment as the App Store signed it, and what its phone needs to hand it in.
struct Payment: Sendable {
    /// The transaction id; the simulator's are numbers.
    let id: UInt64
    let transactionId: String
    let transaction: SignedTransaction
    var proof: String
    /// The member of the submission that has the proof.
    var kind = "signedTransaction"
    /// All of the device's purchases as Apple signs them for the app; only of a phone that two logins share.
    var appReceipt: String?
    /// The buyer who is logged in where it is handed in.
    var submitter: Int
    let order: OrderAnswer
    /// The order as the submission names it; nil when it names none.
    var hint: String?
    /// Whether it is handed in to move what another login has.
    var isRestore = false
}

/// What the App Store does, played in this process.
extension Phone {
    /// Sells what the script wants; the transaction id is one that no other run has.
    func sell(_ order: OrderAnswer) throws -> Payment {
        var purchase = SimulatedPurchase(bundleId: client.bundleID, productId: product.id)
        purchase.type = product.kind.signedName
        if product.kind == .autoRenewable {
            let now = Timestamp.now().milliseconds
            let length = script.subscription?.length ?? TransferScript.periodLength
            (purchase.purchaseDate, purchase.expiresDate) = (now, now + length)
            purchase.subscriptionGroupIdentifier = "load"
        }
        purchase.quantity = script.quantity
        purchase.price *= Int64(script.quantity)
        if script.carriesToken { purchase.appAccountToken = token(order) }
        let isHandedInTwice = [.restores, .transfers].contains(script.habit)
        let submitter = isHandedInTwice ? script.buyer : script.submitter
        return try signed(purchase.transaction(at: .now()), for: order, by: submitter)
    }

    /// What a second device gets of a payment.
    func restored(_ payment: Payment) throws -> Payment {
        var chance = SystemRandomNumberGenerator()
        let transaction = payment.transaction.restored(at: .now(), using: &chance)
        var restored = try signed(transaction, for: payment.order, by: script.submitter)
        // Handed in after the other, it says nothing of whose it is.
        if !script.restoresAtOnce { restored.hint = nil }
        return restored
    }

    /// A transaction as a payment that a phone hands in.
    private func signed(
        _ transaction: SignedTransaction,
        for order: OrderAnswer,
        by submitter: Int
    ) throws -> Payment {
        try payment(
            of: transaction,
            proof: context.signer.sign(transaction: transaction),
            for: order,
            by: submitter
        )
    }

    /// A signed transaction as a payment that a phone hands in.
    func payment(
        of transaction: SignedTransaction,
        proof: String,
        for order: OrderAnswer,
        by submitter: Int
    ) throws -> Payment {
        Payment(
            id: try transaction.number,
            transactionId: transaction.transactionId,
            transaction: transaction,
            proof: proof,
            submitter: submitter,
            order: order,
            hint: script.carriesToken && script.number.isMultiple(of: 3) ? nil : order.id
        )
    }

    /// Apple may change the case of the token that it was given.
    func token(_ order: OrderAnswer) -> String {
        script.number.isMultiple(of: 2) ? order.appAccountToken.uppercased() : order.appAccountToken
    }
}

extension SignedTransaction {
    /// The transaction id as a number.
    var number: UInt64 {
        get throws(WrongUse) {
            guard let number = UInt64(transactionId) else {
                throw WrongUse(description: "the simulator's transaction id is no number")
            }
            return number
        }
    }
}
