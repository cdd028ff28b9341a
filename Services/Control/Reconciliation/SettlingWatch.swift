/// Decides when it is of no use to look at claims any longer.
///
/// What was handed in travels over links. It is there when its claim says so; what is parked on its way, because the
/// sandbox is refused for instance, never gets there.
struct SettlingWatch: Equatable {
    /// Most looks: at their pace 30 s.
    static let maximumLooks = 120
    /// How many looks may find the same before the rest is given up: 3 s.
    static let maximumStillLooks = 12
    /// Pause between two looks.
    static let pause = Duration.milliseconds(250)

    private var looks = 0
    private var stillLooks = 0
    private var underWay: Int?

    /// Takes in a look, and says whether it was the last: `proposed` claims wait for Orders' answer, and `underWay` is
    /// what was handed in and is not known yet.
    mutating func isOver(proposed: Int, underWay: Int) -> Bool {
        looks += 1
        stillLooks = underWay == self.underWay ? stillLooks + 1 : 0
        self.underWay = underWay
        if looks >= Self.maximumLooks { return true }
        return proposed == 0 && (underWay == 0 || stillLooks >= Self.maximumStillLooks)
    }
}
