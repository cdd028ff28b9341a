import Contracts
import Foundation
import TestKit

@testable import Delivery

/// What may be wrong with a simulated group on purpose.
enum GroupVariant: CaseIterable, Sendable {
    case faithful
    /// A partition says what follows from a batch whose COMMIT never came.
    case speaksBeforeCommit
    /// A store says now and then that it has committed, and has not.
    case losesCommits
    /// An owner commits now and then what is not in its log.
    case commitsWithoutEntry
    /// The gateway acknowledges a proof that no service has kept.
    case acknowledgesEarly
    /// A store is restored, and its owner asks nobody for the claims that it may have forgotten.
    case trustsRestoredStore
    /// An owner believes that it has written an answer of Apple's, and has not.
    case forgetsAnswers
    /// Orders now and then has goods granted to the buyer who did not pay.
    case grantsToAnother
    /// A phone is now and then told to finish while nothing is decided.
    case finishesEarly
    /// Receipts takes each transaction id for a purchase of its own, whatever it restores.
    case keysOnTransactionID
    /// Receipts takes each transaction of a subscription for a period of its own.
    case ignoresLineItems
    /// Receipts takes added seats for the period whose line item they state.
    case trustsLineItems
    /// Receipts takes a member's copy of a seat for bought, with the line item of whoever paid.
    case trustsAssigned
    /// Receipts takes what a family shares for bought.
    case ignoresFamilies
    /// Access lasts until the latest `expiresDate` of a subscription, whatever became of its periods.
    case readsLatestExpiry
    /// A spend goes by the balance that the one before it has read.
    case spendsStaleBalance
    /// Receipts takes each renewal for a purchase, so that its token comes before its subscription's holder.
    case prefersTokens
    /// A ledger says that it has taken back what moves to another login, and has not.
    case keepsWhatMoves
    /// Owners wait for whatever time they have stored.
    case waitsForStoredTimes
    /// What a clock has told that was ahead is never looked at again.
    case trustsWhatWasTold
    /// The buyers' server adds possessions up like amounts, and ends them when they expire.
    case addsUpPossessions
    /// A service refuses metadata that the gateway has taken.
    case refusesMetadata
    /// Receipts takes the first part of a long receipt, and none of the others.
    case forgetsParts
    /// The catalog gives what is owned once more.
    case givesWhatIsOwned
    /// A store is restored, and no other one tells it again what it may have forgotten.
    case restoresWithoutRedrive
    /// Receipts takes each proof of a restore for one that was just signed.
    case takesStaleProofs
    /// Receipts takes a line item that another chain has for its own.
    case ignoresNames
    /// Receipts reads no token in what Apple has signed.
    case ignoresTokens
    /// Receipts takes a subscription that replaces another one for any new one.
    case ignoresReplaced
    /// Receipts lets the order that a phone names take a purchase from its holder, whatever that one has it by.
    case hintsTake
    /// Receipts weighs the token of a purchase again that a restore has moved.
    case weighsTokensAgain
    /// Receipts gives a purchase to whom its token names before the ledger of its holder has taken it back.
    case grantsBeforeTaking
    /// Receipts asks nobody whose a purchase of an app receipt is.
    case arrivalDecides
    /// The gateway does not say which login has bought what another one hands in.
    case ignoresPurchaser
    /// Receipts keeps Apple's word of a purchase outside the App Store to itself.
    case forgetsExternalPurchases
    /// Entitlements grants a proof that comes after all, and leaves what has made up for its order.
    case ignoresLateProof

    /// Whether it is about restored stores.
    var restores: GroupRestore.Scope? {
        switch self {
        case .trustsRestoredStore: .receipts
        case .restoresWithoutRedrive: .backup
        default: nil
        }
    }

    /// The law that it must be caught breaking.
    var law: GroupLaw? {
        switch self {
        case .faithful: nil
        case .speaksBeforeCommit, .losesCommits: .durability
        case .commitsWithoutEntry: .logMakesTheStore
        case .acknowledgesEarly, .forgetsExternalPurchases, .refusesMetadata, .forgetsParts, .trustsLineItems,
            .restoresWithoutRedrive, .trustsAssigned:
            .nothingLost
        case .givesWhatIsOwned, .ignoresFamilies: .rightGoods
        case .arrivalDecides, .hintsTake, .ignoresTokens, .takesStaleProofs, .weighsTokensAgain:
            .buyerFollowsEvidence
        case .trustsRestoredStore, .grantsToAnother, .prefersTokens, .keepsWhatMoves, .grantsBeforeTaking,
            .ignoresReplaced:
            .rightBuyer
        case .ignoresPurchaser: .neverTheCaller
        case .forgetsAnswers, .waitsForStoredTimes: .comesToRest
        case .finishesEarly: .noEarlyFinish
        case .keysOnTransactionID, .ignoresLineItems, .ignoresLateProof: .nothingTwice
        case .ignoresNames: .paymentIsHeldOnce
        case .readsLatestExpiry: .accessHasFacts
        case .spendsStaleBalance: .ledgerBalances
        case .addsUpPossessions, .trustsWhatWasTold: .toldAsHeld
        }
    }
}

extension GroupSimulation {
    /// What leaves a partition, spoiled where the variant does so.
    func tampered(_ packet: GroupPacket) -> GroupPacket {
        switch (variant, packet) {
        case (.grantsToAnother, .message(var message, let to, let from, let connection)):
            message.body = message.body.map(misdirected)
            return .message(message, to: to, from: from, connection: connection)
        case (.refusesMetadata, .message(var message, let to, let from, let connection)):
            message.body = message.body.map(unreadable)
            return .message(message, to: to, from: from, connection: connection)
        case (.ignoresNames, .message(var message, let to, let from, let connection)):
            message.body = message.body.map(misnamed)
            return .message(message, to: to, from: from, connection: connection)
        case (.finishesEarly, .reply(var message)):
            message.body = message.body.map { hastened($0, message) }
            return .reply(message)
        default: return packet
        }
    }

    /// A request for goods, for the other buyer; the same event is always spoiled in the same way.
    private func misdirected(_ event: [UInt8]) -> [UInt8] {
        var text = String(decoding: event, as: UTF8.self)
        let isAboutGoods = text.contains(#""\#(PurchaseReportedV1.type)""#)
        let isInReach =
            partition(.entitlements, of: buyers.0) == partition(.entitlements, of: buyers.1)
        guard isAboutGoods, isInReach, event.reduce(0, { $0 &+ Int($1) }).isMultiple(of: 4) else {
            return event
        }
        let isFirst = text.contains(#""buyerId":"\#(buyers.0)""#)
        let (payer, other) = isFirst ? (buyers.0, buyers.1) : (buyers.1, buyers.0)
        text = text.replacing(#""buyerId":"\#(payer)""#, with: #""buyerId":"\#(other)""#)
        text = text.replacing(
            #""subject":"\#(GroupWorld.app)/\#(payer)""#,
            with: #""subject":"\#(GroupWorld.app)/\#(other)""#
        )
        return Array(text.utf8)
    }

    /// A request for goods, with metadata that its receiver takes for no JSON.
    private func unreadable(_ event: [UInt8]) -> [UInt8] {
        let text = String(decoding: event, as: UTF8.self)
        guard text.contains(#""\#(PurchaseReportedV1.type)""#) else { return event }
        return Array(text.replacing(#""metadata":{"#, with: #""metadata":{{"#).utf8)
    }

    /// The answer to a phone for which nothing is decided: finish.
    private func hastened(_ body: [UInt8], _ message: WireMessage) -> [UInt8] {
        guard let reply = message.header.reply, gateway.pending[reply.id]?.submission != nil else {
            return body
        }
        return attempt("no verdict", else: body) {
            var verdict = try JSONDecoder().decode(ReceiptVerdictV1.self, from: Data(body))
            guard verdict.verdict == .pending, random.happens(perMille: 100) else { return body }
            verdict.verdict = .granted
            return bytes(verdict)
        }
    }
}
