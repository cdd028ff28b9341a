import TestKit

/// How harsh the world of one seed is: each trouble is rare, usual or frequent, independently of the others.
///
/// A world in which everything goes wrong equally often hides what only a strange mixture shows.
struct SimulatorFaultRates {
    /// Per thousand frames.
    var loss: Int
    var repetition: Int
    var reordering: Int
    var delay: Int
    /// Per thousand transactions.
    var storeError: Int
    var unknownCommit: Int
    /// By how much crash points are more frequent than usual, in percent.
    var crash: Int
    /// Shares of the faults that people and machines make.
    var backup: Int
    var restore: Int
    var kill: Int
    var stop: Int
    var handover: Int
    var reconnect: Int
    var starvation: Int
    /// In ms.
    var longestDelay: Int
    var longestTakeover: Int
    var longestRepair: Int
    var longestPause: Int

    /// Quick takeovers of old copies, while senders live on and frames stay long under way.
    static var restless: SimulatorFaultRates {
        var random = SeededRandom(seed: 0)
        var rates = SimulatorFaultRates(&random)
        (rates.loss, rates.repetition, rates.reordering, rates.delay) = (0, 150, 150, 200)
        (rates.storeError, rates.unknownCommit, rates.crash) = (0, 20, 20)
        (rates.backup, rates.restore, rates.kill, rates.stop) = (20, 30, 0, 0)
        (rates.handover, rates.reconnect, rates.starvation) = (50, 0, 0)
        (rates.longestDelay, rates.longestTakeover, rates.longestRepair, rates.longestPause) = (
            300, 4, 4, 20
        )
        return rates
    }

    init(_ random: inout SeededRandom) {
        func any(_ choices: Int...) -> Int { choices[random.below(choices.count)] }
        loss = any(0, 25, 100)
        repetition = any(5, 25, 150)
        reordering = any(5, 40, 150)
        delay = any(5, 30, 150)
        storeError = any(1, 8, 20)
        unknownCommit = any(1, 4, 20)
        crash = any(20, 100, 200)
        backup = any(10, 20)
        restore = any(0, 10, 25)
        kill = any(3, 12, 25)
        stop = any(2, 10)
        handover = any(3, 10, 30)
        reconnect = any(2, 15)
        starvation = any(2, 20)
        longestDelay = any(100, 400, 1_200)
        longestTakeover = any(8, 120)
        longestRepair = any(4, 60)
        longestPause = any(20, 70)
    }
}
