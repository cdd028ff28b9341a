import Contracts

/// How far the names of one purchase are registered, and whether its chain is its home.
///
/// Tested by: `NameRegistrationTests`.
///
/// | from \ event | stated                          | told: it is here    | told: another chain has it | refused | its facts |
/// |--------------|---------------------------------|---------------------|----------------------------|---------|-----------|
/// | unregistered | `registering` or `registered`   | stale               | stale                      | stale   | go on     |
/// | registering  | joins, *in order*               | the next or `registered` | *lost*                | stale   | wait while the claim is open |
/// | registered   | `registering` if one is new     | again               | *lost*                     | stale   | go on     |
/// | contested    | kept; *leads here* or held: `registering` or `registered` | stale | stale          | `alias` | go on     |
/// | alias        | nothing; *circle*: `registering` or `registered`, here | stale | stale             | stale   | go to its home |
///
/// - *in order*: transaction ids before line items, one at a time. Who is told of another home registers no further.
/// - *lost*, while the claim is open: `alias`. While Orders is asked whose it is: `contested`, with an alarm, because
///   its order may be paid already; once the last candidate has refused, `alias`. Once it is held: it stays, with an
///   alarm, and the next name follows, as do those of a contested one when facts come.
/// - *here*: the row names this chain, or one that *leads here*: facts that state the name have come from there. Such a
///   chain is an alias, and the rows that it has registered lead on to its home.
/// - *circle*: the facts have come through the chain to which they would go. An alias whose claim is held all the same,
///   as Orders may say after a restore, is at home, too, with an alarm.
/// - *stale*: nothing changes and nothing is sent.
///
/// **Why no two chains stay aliases of each other.** A claim that registers all its names before it loses one has asked
/// for them in one order. In a circle of such claims each would hold a name that comes before the one that it has lost,
/// and that is the one that the next holds: it cannot close. Facts may state a transaction id late, though, when the
/// claim has its line item. So circles are possible, and every message that goes round one finds it: it knows the
/// chains that have sent it on, and a chain that would send it to one of them sees the whole circle behind that one. Of
/// its chains the one with the smallest original transaction id, by length and then by text, becomes the home, and it
/// alone. Only the smallest chain of a circle takes back that it is an alias, and chains point to one other each, so a
/// chain cannot be in two circles at once: each circle is cut at one place, at most one round after a message has
/// entered it. Then all its chains lead to that place. A message is sent on at most
/// `TransactionVerifiedV1.maximumAliases` times.
struct NameRegistration: Codable, Equatable, Sendable {
    enum State: Codable, Equatable, Sendable {
        case unregistered
        /// One name's partition is asked; the others follow.
        case registering(PurchaseName, rest: [PurchaseName])
        case registered
        /// Another chain has this name, and Orders is asked whose the purchase is.
        case contested(by: TransactionID, PurchaseName)
        /// Another chain has this name; none where the whole chain is an alias.
        case alias(of: TransactionID, PurchaseName?)
    }

    /// How far the purchase's claim is.
    enum Phase: Equatable, Sendable, CaseIterable {
        /// Nobody is asked whose it is.
        case open
        /// Orders is asked.
        case asked
        case held
    }

    enum Event: Equatable, Sendable {
        /// Facts that have come through these chains state these names.
        case stated([PurchaseName], through: [TransactionID])
        /// The name's partition says to which chain it belongs.
        case told(PurchaseName, home: TransactionID)
        /// Orders has refused the last candidate.
        case refused
    }

    /// What the caller must do in the same transaction as the new state.
    enum Directive: Equatable, Sendable {
        case claim(PurchaseName)
        /// The claim, and all that waits for it, goes to the chain of this original transaction id.
        case becomeAlias(of: TransactionID)
        /// Another chain has the name, and this one keeps the claim.
        case alarm(PurchaseName?, home: TransactionID)
    }

    /// What becomes of facts of the purchase.
    enum Way: Equatable, Sendable {
        case wait
        case proceed
        case forward(to: TransactionID)
    }

    /// A name, and the chains through which facts that state it have come.
    private struct Lead: Codable, Equatable {
        let name: PurchaseName
        var chains: [TransactionID]
    }

    let chain: TransactionID
    private(set) var state: State
    /// The names whose rows lead here.
    private(set) var names: [PurchaseName]
    /// Further names that were stated: another chain has them, or nobody was asked.
    private(set) var others: [PurchaseName]
    private var leads: [Lead] = []

    init(
        of chain: TransactionID,
        _ state: State = .unregistered,
        names: [PurchaseName] = [],
        others: [PurchaseName] = []
    ) {
        (self.chain, self.state, self.names, self.others) = (chain, state, names, others)
    }

    mutating func apply(_ event: Event, _ phase: Phase) -> [Directive] {
        switch (state, event) {
        case (.unregistered, .stated(let names, let path)), (.registered, .stated(let names, let path)):
            note(names, path)
            return register(names)
        case (.registering(let asked, let rest), .stated(let names, let path)):
            note(names, path)
            let more = unknown(names).filter { $0 != asked && !rest.contains($0) }
            state = .registering(asked, rest: Self.inOrder(rest + more))
            return []
        case (.contested(let home, let name), .stated(let names, let path)):
            note(names, path)
            if leadsHere(name, home) { return comeHome(with: name, names) }
            if phase == .held { return stay(names, lost: name) }
            others += unknown(names).filter { $0 != name }
            return []
        case (.alias(let home, let name), .stated(let names, let path)):
            guard phase == .open else {
                note(names, path)
                return [.alarm(name, home: home)] + stay(names, lost: name)
            }
            guard isHome(of: path, on: home) else { return [] }
            note(names + [name].compactMap(\.self), path)
            return comeHome(with: name, names)
        case (.registering(let asked, let rest), .told(let name, let home)):
            guard name == asked else { return [] }
            guard leadsHere(name, home) else { return lose(name, to: home, rest, phase) }
            names.append(name)
            return goOn(to: rest)
        case (.registered, .told(let name, let home)):
            // A restored partition may have given the name to another chain.
            guard names.contains(name), !leadsHere(name, home) else { return [] }
            names.removeAll { $0 == name }
            return lose(name, to: home, [], phase)
        case (.contested(let home, let name), .refused):
            state = .alias(of: home, name)
            return [.becomeAlias(of: home)]
        case (.unregistered, .told), (.contested, .told), (.alias, .told),
            (.unregistered, .refused), (.registering, .refused), (.registered, .refused), (.alias, .refused):
            return []
        }
    }

    // MARK: Registering

    private mutating func register(_ stated: [PurchaseName]) -> [Directive] {
        goOn(to: Self.inOrder(unknown(stated)))
    }

    private mutating func goOn(to rest: [PurchaseName]) -> [Directive] {
        guard let first = rest.first else {
            state = .registered
            return []
        }
        state = .registering(first, rest: Array(rest.dropFirst()))
        return [.claim(first)]
    }

    private mutating func lose(
        _ name: PurchaseName,
        to home: TransactionID,
        _ rest: [PurchaseName],
        _ phase: Phase
    ) -> [Directive] {
        switch phase {
        case .open:
            others += rest
            state = .alias(of: home, name)
            return [.becomeAlias(of: home)]
        case .asked:
            others += rest
            state = .contested(by: home, name)
            return [.alarm(name, home: home)]
        case .held:
            others.append(name)
            return [.alarm(name, home: home)] + goOn(to: rest)
        }
    }

    /// Registers what is left; the name because of which it was to go elsewhere is here after all.
    private mutating func comeHome(with name: PurchaseName?, _ stated: [PurchaseName]) -> [Directive] {
        if let name, !names.contains(name) { names.append(name) }
        let left = stated + others
        others = []
        return register(left)
    }

    /// Registers what nobody was asked for; the claim is held though another chain has one of its names.
    private mutating func stay(_ stated: [PurchaseName], lost name: PurchaseName?) -> [Directive] {
        let left = others + stated
        others = [name].compactMap(\.self)
        return register(left)
    }

    /// Those of them that nobody was asked for, each once.
    private func unknown(_ stated: [PurchaseName]) -> [PurchaseName] {
        var unknown: [PurchaseName] = []
        for name in stated where !(names + others + unknown).contains(name) { unknown.append(name) }
        return unknown
    }

    private static func inOrder(_ names: [PurchaseName]) -> [PurchaseName] {
        names.filter(\.isTransaction) + names.filter { !$0.isTransaction }
    }

    // MARK: Aliases

    private mutating func note(_ names: [PurchaseName], _ path: [TransactionID]) {
        let chains = path.filter { $0 != chain }
        guard !chains.isEmpty else { return }
        for name in names {
            let index = leads.firstIndex { $0.name == name } ?? leads.endIndex
            if index == leads.endIndex { leads.append(Lead(name: name, chains: [])) }
            for chain in chains where !leads[index].chains.contains(chain) {
                leads[index].chains.append(chain)
            }
        }
    }

    private func leadsHere(_ name: PurchaseName, _ home: TransactionID) -> Bool {
        home == chain || leads.contains { $0.name == name && $0.chains.contains(home) }
    }

    /// Whether facts on their way to `home` have come from there, and this chain is the smallest of that circle.
    private func isHome(of path: [TransactionID], on home: TransactionID) -> Bool {
        if path.count >= TransactionVerifiedV1.maximumAliases { return true }
        guard let start = path.lastIndex(of: home) else { return false }
        return !path[start...].contains { $0.isSmaller(than: chain) }
    }

    // MARK: What it says

    func way(_ phase: Phase) -> Way {
        switch state {
        case .registering: phase == .open ? .wait : .proceed
        case .alias(let home, _): .forward(to: home)
        case .unregistered, .registered, .contested: .proceed
        }
    }

    /// The names that are claimed again in a restored partition; the rows of an alias lead on.
    var redrive: [PurchaseName] {
        switch state {
        case .registering(let asked, _): names + [asked]
        case .unregistered, .registered, .contested, .alias: names
        }
    }

    /// The transactions of the purchase that have stated their ids as names.
    var transactions: [TransactionID] {
        let lost: PurchaseName? = if case .alias(_, let name) = state { name } else { nil }
        return (names + others + [lost].compactMap(\.self)).compactMap { name in
            if case .transaction(let id) = name { id } else { nil }
        }
    }

    /// Whether nothing is to be registered when facts of this chain state these names.
    func isRegistered(stating stated: [PurchaseName]) -> Bool {
        state == .registered && unknown(stated).isEmpty
    }
}

extension Claim {
    /// How far it is, as far as its names matter; what the ledger has moved was held before a restore.
    var namePhase: NameRegistration.Phase {
        switch state {
        case .unclaimed, .waiting: .open
        case .orphan: transfer.takenBack == nil ? .open : .held
        case .lookingUp, .proposed: .asked
        case .held: .held
        }
    }

    /// Whether Orders is asked for nothing else than this.
    func isLastRequest(_ attempt: Int) -> Bool {
        switch state {
        case .lookingUp(let pending): pending.map(\.attempt) == [attempt] && transfer.takenBack == nil
        case .proposed: attempt == self.attempt && transfer.takenBack == nil
        case .unclaimed, .waiting, .held, .orphan: false
        }
    }
}

extension PurchaseName {
    fileprivate var isTransaction: Bool { if case .transaction = self { true } else { false } }
}

extension TransactionID {
    /// By length, then by text, as Apple's numbers grow.
    fileprivate func isSmaller(than other: TransactionID) -> Bool {
        let (own, theirs) = (rawValue.utf8.count, other.rawValue.utf8.count)
        return own == theirs ? self < other : own < theirs
    }
}
