import Testing

@testable import Control

@Suite struct `a restart, one replica after the other` {
    private static let orders = ReplicaName(program: .orders, number: 0)
    private static let other = ReplicaName(program: .orders, number: 1)
    private static let gateway = ReplicaName(program: .gateway, number: 0)

    @Test func `the next one's turn comes when the one before is well again`() {
        var restart = RollingRestart([Self.orders, Self.gateway], now: 0)
        var health: [ReplicaName: RollingRestart.Health] = [Self.orders: .well, Self.gateway: .well]
        #expect(restart.next(health, now: 0) == .restart(Self.orders))
        health[Self.orders] = .unwell
        #expect(restart.next(health, now: 1) == .wait)
        health[Self.orders] = .well
        #expect(restart.next(health, now: 2) == .restart(Self.gateway))
        #expect(restart.next([Self.orders: .well, Self.gateway: .unwell], now: 3) == .wait)
        #expect(restart.next(health, now: 4) == .done)
    }

    @Test func `of two replicas one is always well, unless none is`() {
        var restart = RollingRestart([Self.orders], now: 0)
        let unwell: [ReplicaName: RollingRestart.Health] = [Self.orders: .well, Self.other: .unwell]
        #expect(restart.next(unwell, now: 0) == .wait)
        #expect(restart.next(unwell, now: RollingRestart.patience) == .restart(Self.orders))
        var healing = RollingRestart([Self.orders], now: 0)
        #expect(healing.next([Self.orders: .refused, Self.other: .refused], now: 0) == .restart(Self.orders))
    }

    @Test
    func `one that refuses to begin ends the restart at once, one that is silent when its time is over`() {
        var restart = RollingRestart([Self.orders, Self.gateway], now: 0)
        _ = restart.next([Self.orders: .well, Self.gateway: .well], now: 0)
        var silent = restart
        #expect(restart.next([Self.orders: .refused, Self.gateway: .well], now: 1) == .failed(Self.orders))
        let health: [ReplicaName: RollingRestart.Health] = [Self.orders: .unwell, Self.gateway: .well]
        #expect(silent.next(health, now: RollingRestart.patience - 1) == .wait)
        #expect(silent.next(health, now: RollingRestart.patience) == .failed(Self.orders))
    }

    @Test func `that takes a change back goes on when one does not become well`() {
        var restart = RollingRestart([Self.orders, Self.gateway], goesOn: true, now: 0)
        _ = restart.next([Self.orders: .well, Self.gateway: .refused], now: 0)
        let health: [ReplicaName: RollingRestart.Health] = [Self.orders: .unwell, Self.gateway: .refused]
        #expect(restart.next(health, now: RollingRestart.patience) == .failed(Self.orders))
        #expect(restart.next(health, now: RollingRestart.patience) == .restart(Self.gateway))
        let late = RollingRestart.patience + 1
        #expect(restart.next([Self.orders: .unwell, Self.gateway: .well], now: late) == .done)
    }

    @Test func `a replica that is scaled away meanwhile is not waited for`() {
        var restart = RollingRestart([Self.orders, Self.other], now: 0)
        _ = restart.next([Self.orders: .well, Self.other: .well], now: 0)
        #expect(restart.next([:], now: 1) == .done)
    }
}

@Suite struct `a program that says that its configuration is wrong` {
    /// A replica that ended with code 2 while it began.
    private static let refused = ReplicaMachine(
        having: [(.tick, now: 0), (.begun, now: 0), (.ended(.exited(2)), now: 5)]
    )

    @Test func `is not started again by itself`() {
        var machine = Self.refused
        #expect(machine.phase == .refused)
        #expect(machine.state == "refused")
        #expect(machine.nextTick == nil)
        #expect(!machine.isWell)
        #expect(machine.step(.tick, now: 100_000) == [])
    }

    @Test(arguments: [ReplicaMachine.Event.restart, .start])
    func `is started again when that is asked for`(wish: ReplicaMachine.Event) {
        var machine = Self.refused
        #expect(machine.step(wish, now: 9) == [])
        #expect(machine.step(.tick, now: 9) == [.start])
    }

    @Test func `stays away when the group ends`() {
        var machine = Self.refused
        #expect(machine.step(.stop, now: 9) == [])
        #expect(machine.phase == .over)
    }

    @Test func `ends as asked with code 2 all the same when it was asked to begin again`() {
        var machine = ReplicaMachine(
            having: [(.begun, now: 0), (.restart, now: 1), (.ended(.exited(2)), now: 2)]
        )
        #expect(machine.step(.tick, now: 2) == [.start])
    }
}
