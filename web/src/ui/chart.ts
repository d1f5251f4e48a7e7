// The only file that knows uPlot; loaded when the first plot is shown.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axisRange } from "./scale";

export interface Chart {
  setData(data: [number[], ...(number | null)[][]], range: [number, number]): void;
  destroy(): void;
}

export interface ChartOptions {
  names: string[];
  unit: string;
  noise: number; // what is smaller is a rounding error
  onZoom: (range: [number, number] | null) => void;
  onValues: (values: (number | null | undefined)[]) => void; // under the cursor; none: it has left
}

export function makeChart(host: HTMLElement, options: ChartOptions): Chart {
  const style = getComputedStyle(host);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color("--text-quiet"),
    grid: { stroke: color("--line-faint"), width: 1 },
    ticks: { stroke: color("--line-faint"), width: 1, size: 4 },
    font: "11px system-ui, sans-serif",
  };
  const size = () => ({ width: Math.max(80, host.clientWidth), height: Math.max(60, host.clientHeight) });
  let range: [number, number] = [0, 1];
  const chart = new uPlot(
    {
      ...size(),
      legend: { show: false },
      padding: [8, 10, 0, 0],
      scales: { x: { time: false, range: () => range }, y: { range: (_, low, high) => axisRange(low, high, options.noise) } },
      cursor: {
        sync: { key: "bristle" },
        points: { size: 6 },
        drag: { x: true, y: false, setScale: false },
        bind: {
          dblclick: () => () => {
            options.onZoom(null);
            return null;
          },
        },
      },
      axes: [
        { ...axis, size: 28, space: 60, values: (_, ticks) => ticks.map((t) => `${t}`) },
        {
          ...axis,
          size: (_, values) => 14 + 6.5 * Math.max(3, ...(values ?? []).map((v) => v.length)),
          space: 28,
          values: (_, ticks) => ticks.map((t) => (t === 0 ? "0" : String(Number(t.toPrecision(9))).replace("-", "−"))),
        },
      ],
      series: [
        {},
        ...options.names.map((_, i) => ({
          stroke: color(`--curve-${(i % 6) + 1}`),
          width: 1.5,
          points: { show: false },
        })),
      ],
      hooks: {
        setSelect: [
          (u) => {
            if (u.select.width < 4) return;
            const from = u.posToVal(u.select.left, "x");
            const to = u.posToVal(u.select.left + u.select.width, "x");
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            options.onZoom([from, to]);
          },
        ],
        setCursor: [
          (u) => {
            const at = u.cursor.idx;
            options.onValues(at == null ? [] : u.data.slice(1).map((column) => column[at]));
          },
        ],
      },
    },
    [[], ...options.names.map(() => [])] as uPlot.AlignedData,
    host,
  );
  const observer = new ResizeObserver(() => chart.setSize(size()));
  observer.observe(host);
  return {
    setData(data, wanted) {
      range = wanted;
      chart.setData(data as uPlot.AlignedData);
    },
    destroy() {
      observer.disconnect();
      chart.destroy();
    },
  };
}
